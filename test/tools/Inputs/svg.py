"""Reads an SVG, which must be XML, and prints its texts: those of cells that the pointer shows, and all others."""

import sys
import xml.etree.ElementTree

NAMESPACE = "{http://www.w3.org/2000/svg}"
root = xml.etree.ElementTree.parse(sys.argv[1]).getroot()
if root.tag != NAMESPACE + "svg":
    sys.exit(f"the root is {root.tag}")
outside = [name for element in root.iter() for name in element.attrib if "href" in name]
if outside:
    sys.exit(f"needs other files: {outside}")
print("size", root.get("width"), root.get("height"))
for kind in ("title", "text"):
    for element in root.iter(NAMESPACE + kind):
        print(f"{kind}: {element.text}")
