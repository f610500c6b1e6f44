"""Edits a Word document in LibreOffice Writer as an editor would, and writes down what was done.

python3 edit.py IN.docx OUT.docx TRUTH.json SEED COUNT

The paragraphs are found by the bookmarks of an export, `_b_…`. Each is edited once. COUNT is how often each kind of edit is
made: a word changed is made five times as often, and four times COUNT edits are tracked. TRUTH.json is a list of
{op, id, before, after, tracked, new?, other?, comment?}; `after` is null for a paragraph that was deleted.
"""

import json
import os
import random
import subprocess
import sys
import tempfile
import time

import uno
from com.sun.star.beans import PropertyValue

WORDS = (
    "river lantern window captain morning letter silence harbour garden winter candle stranger promise shadow "
    "kitchen thunder orchard whisper saddle mirror"
).split()
ONCE = ["append", "prepend", "newafter", "newbefore", "split", "delete", "rewrite", "comment", "join", "move"]
TRACKED = ["word", "append", "newafter", "delete"]


def value(name, of):
    return PropertyValue(name, 0, of, 0)


def connect(port):
    local = uno.getComponentContext()
    resolver = local.ServiceManager.createInstanceWithContext("com.sun.star.bridge.UnoUrlResolver", local)
    address = f"uno:socket,host=127.0.0.1,port={port};urp;StarOffice.ComponentContext"
    for _ in range(240):
        try:
            return resolver.resolve(address)
        except Exception:  # it has not started yet
            time.sleep(0.5)
    raise SystemExit("LibreOffice does not answer.")


class Editor:
    def __init__(self, context, source, seed):
        manager = context.ServiceManager
        self.random = random.Random(seed)
        self.desktop = manager.createInstanceWithContext("com.sun.star.frame.Desktop", context)
        self.dispatcher = manager.createInstanceWithContext("com.sun.star.frame.DispatchHelper", context)
        self.document = self.desktop.loadComponentFromURL(
            "file://" + os.path.abspath(source), "_blank", 0, (value("Hidden", True),)
        )
        self.truth = []
        self.marks = self.document.Bookmarks
        texts = {}
        for name in self.marks.ElementNames:
            anchor = self.marks.getByName(name).Anchor
            is_body = anchor.Text.ImplementationName == self.document.Text.ImplementationName
            text = anchor.String
            is_picture = text.startswith("[")  # one that nobody has stands as its words in brackets
            if name.startswith("_b_") and is_body and not is_picture and len(text.split()) >= 8 and "\n" not in text:
                texts[name[1:]] = text
        self.ids = sorted(texts, key=texts.get)  # ids are others in every manuscript
        self.random.shuffle(self.ids)

    def take(self, count):
        return [self.ids.pop() for _ in range(count)]

    def paragraph(self, block):
        anchor = self.marks.getByName("_" + block).Anchor
        cursor = anchor.Text.createTextCursorByRange(anchor.Start)
        cursor.gotoStartOfParagraph(False)
        cursor.gotoEndOfParagraph(True)
        return cursor

    def start(self, block):
        cursor = self.paragraph(block)
        cursor.collapseToStart()
        return cursor

    def end(self, block):
        cursor = self.paragraph(block)
        cursor.collapseToEnd()
        return cursor

    def at(self, block, offset, length):
        cursor = self.start(block)
        cursor.goRight(offset, False)
        cursor.goRight(length, True)
        return cursor

    def whole(self, block):
        """The paragraph with its end."""
        cursor = self.start(block)
        cursor.gotoEndOfParagraph(True)
        cursor.goRight(1, True)
        return cursor

    def word(self, text):
        words = text.split(" ")
        number = self.random.randrange(2, len(words) - 2)
        return sum(len(one) + 1 for one in words[:number]), words[number]

    def put(self, cursor, text):
        cursor.Text.insertString(cursor, text, False)

    def break_at(self, cursor):
        cursor.Text.insertControlCharacter(cursor, 0, False)

    def edit(self, op, block, tracked=False):
        before = self.paragraph(block).String
        self.document.RecordChanges = tracked
        done = getattr(self, "do_" + op)(block, before)
        self.document.RecordChanges = False
        self.truth.append({"op": op, "id": block, "before": before, "after": before, "tracked": tracked, **done})

    def do_word(self, block, before):
        offset, word = self.word(before)
        self.at(block, offset, len(word)).String = "altogether"
        return {"after": before[:offset] + "altogether" + before[offset + len(word) :]}

    def do_append(self, block, before):
        self.put(self.end(block), " And that was all of it.")
        return {"after": before + " And that was all of it."}

    def do_prepend(self, block, before):
        self.put(self.start(block), "Well, now. ")
        return {"after": "Well, now. " + before}

    def do_newafter(self, block, before):
        text = f"A wholly new paragraph after, number {len(self.truth)}."
        cursor = self.end(block)
        self.break_at(cursor)
        self.put(cursor, text)
        return {"new": text}

    def do_newbefore(self, block, before):
        text = f"A wholly new paragraph before, number {len(self.truth)}."
        cursor = self.start(block)
        self.put(cursor, text)
        self.break_at(cursor)
        return {"new": text}

    def do_split(self, block, before):
        words = before.split(" ")
        offset = sum(len(one) + 1 for one in words[: max(2, len(words) * 2 // 3)])
        cursor = self.at(block, offset - 1, 1)
        cursor.String = ""
        self.break_at(cursor)
        return {"after": before[: offset - 1], "new": before[offset:]}

    def do_delete(self, block, before):
        self.whole(block).String = ""
        return {"after": None}

    def do_rewrite(self, block, before):
        words = self.random.sample(WORDS, 7)
        text = "Now the " + " and the ".join(words) + " were gone."
        self.paragraph(block).String = text
        return {"after": text}

    def do_comment(self, block, before):
        offset, word = self.word(before)
        comment = self.document.createInstance("com.sun.star.text.textfield.Annotation")
        comment.Author = "Edie Editor"
        comment.Content = f"Query {len(self.truth)}: is “{word}” right?"
        cursor = self.at(block, offset, len(word))
        cursor.Text.insertTextContent(cursor, comment, True)
        return {"comment": comment.Content}

    def do_join(self, block, before):
        cursor = self.end(block)
        following = cursor.Text.createTextCursorByRange(cursor)
        following.goRight(1, False)
        following.gotoEndOfParagraph(True)
        other = following.String
        cursor.goRight(1, True)
        cursor.String = " "
        return {"after": before + " " + other, "other": other}

    def do_move(self, block, before):
        controller = self.document.CurrentController
        view = controller.ViewCursor
        view.gotoRange(self.whole(block), False)
        self.dispatcher.executeDispatch(controller.Frame, ".uno:Cut", "", 0, ())
        view.gotoRange(view.Start, False)
        for _ in range(3):
            view.goDown(1, False)
        cursor = view.Text.createTextCursorByRange(view.Start)
        cursor.gotoEndOfParagraph(False)
        cursor.goRight(1, False)
        view.gotoRange(cursor, False)
        self.dispatcher.executeDispatch(controller.Frame, ".uno:Paste", "", 0, ())
        return {}

    def save(self, target):
        self.document.storeToURL("file://" + os.path.abspath(target), (value("FilterName", "MS Word 2007 XML"),))
        self.document.close(True)


def main():
    source, target, truth, seed, count = sys.argv[1:4] + [int(one) for one in sys.argv[4:6]]
    port = 22000 + os.getpid() % 20000
    with tempfile.TemporaryDirectory() as profile:
        office = subprocess.Popen(
            [
                "soffice",
                f"-env:UserInstallation=file://{profile}",
                "--headless",
                "--norestore",
                f"--accept=socket,host=127.0.0.1,port={port};urp",
            ],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            editor = Editor(connect(port), source, seed)
            plan = [(op, block) for op in ONCE for block in editor.take(count)]
            plan += [("word", block) for block in editor.take(5 * count)]
            tracked = editor.take(4 * count)
            for op, block in plan:
                editor.edit(op, block)
            for number, block in enumerate(tracked):
                editor.edit(TRACKED[number % len(TRACKED)], block, tracked=True)
            editor.save(target)
            with open(truth, "w", encoding="utf8") as file:
                json.dump(editor.truth, file, ensure_ascii=False)
            try:
                editor.desktop.terminate()
            except Exception:  # it goes while it answers
                pass
        finally:
            time.sleep(0.5)
            office.terminate()
            office.wait()


main()
