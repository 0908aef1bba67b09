"""Looks for what the documents in a folder link to: links.py FOLDER."""

import os
import re
import sys

faults = []
for folder, _, files in os.walk(sys.argv[1]):
    for file in (name for name in files if name.endswith(".md")):
        path = os.path.join(folder, file)
        text = re.sub(r"```.*?```|`[^`]*`", "", open(path).read(), flags=re.S)
        for link in re.findall(r"\]\(([^)#\s]+)", text):
            if "://" not in link and not os.path.exists(os.path.join(folder, link)):
                faults.append(f"{os.path.relpath(path, sys.argv[1])}: {link} is not there")
print("\n".join(faults) or "every link is there")
