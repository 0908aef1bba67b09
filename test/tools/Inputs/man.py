"""Holds a man page against the help of its program: man.py PAGE HELP. Prints what is in one and not in the other."""

import re
import sys

page, help_text = (open(path).read() for path in sys.argv[1:])
plain = re.sub(r"\\f[BIR]|^\.\w+ |\\\(dq|\"", "", page, flags=re.M).replace("\\-", "-")
body = plain.partition("EXAMPLES")[0]
options = set(re.findall(r"(?<![\w-])--?[A-Za-z][\w-]*", body))
faults = [f"{option} is no option" for option in sorted(options)
          if not re.search(rf"^ *{option.rstrip('123')}\b", help_text, re.M)]

# Ours are the passes, on the page that has any, and what stands under a heading that is an option.
ours = re.findall(r"^ *(--tile-[\w-]+) ", help_text, re.M) if "--tile-expand" in options else []
for section in re.findall(r"^--.*:\n\n((?:  .*\n)+)", help_text, re.M):
    ours += re.findall(r"^  (--?[\w-]+)", section, re.M)
faults += [f"{option} is not in the page" for option in ours if not re.search(rf"{option}\b|{option}[123]", body)]

# The examples are those of the help, word for word.
examples = help_text.partition("\nEXAMPLES:\n")[2].strip("\n")
if examples not in page:
    faults.append("the examples are not those of --help")
print("\n".join(faults) or "the same")
