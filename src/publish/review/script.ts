/**
 * What a reader's browser runs: a press on a paragraph, or marked words in it, opens the form; comments are kept in the
 * browser as they are written, and saved as a file. It asks nothing of any network.
 */
export const SCRIPT = `"use strict";
const key = "manuscript-review:" + document.body.dataset.book;
const $ = (id) => document.getElementById(id);
let kept;
try { kept = JSON.parse(localStorage.getItem(key)); } catch { }
kept ||= { reader: "", comments: [] };
let place;

function keep() {
  try { localStorage.setItem(key, JSON.stringify(kept)); }
  catch { $("state").textContent = "This browser keeps nothing: save the file before you close it."; }
}

function show() {
  document.querySelectorAll(".commented").forEach((one) => one.classList.remove("commented"));
  $("list").replaceChildren(...kept.comments.map((comment) => {
    const at = document.getElementById(comment.blockId);
    at?.classList.add("commented");
    const item = document.createElement("li");
    const quote = document.createElement("q");
    quote.textContent = comment.quote;
    const text = document.createElement("p");
    text.textContent = comment.text;
    const go = document.createElement("button");
    go.textContent = "Show";
    go.onclick = () => at?.scrollIntoView({ block: "center" });
    const edit = document.createElement("button");
    edit.textContent = "Edit";
    edit.onclick = () => { drop(comment); open(comment); $("text").value = comment.text; };
    const remove = document.createElement("button");
    remove.textContent = "Remove";
    remove.onclick = () => drop(comment);
    item.append(quote, text, go, edit, remove);
    return item;
  }));
  const count = kept.comments.length;
  $("save").textContent = count === 0 ? "Nothing to save yet" : "Save " + count + (count === 1 ? " comment" : " comments");
  $("save").disabled = count === 0;
}

function drop(comment) {
  kept.comments = kept.comments.filter((one) => one !== comment);
  keep();
  show();
}

function open({ chapterId, revision, blockId, from, to, quote }) {
  place = { chapterId, revision, blockId, from, to, quote };
  $("quote").textContent = quote;
  $("form").hidden = false;
  $("text").focus();
}

function comment(block) {
  const chapter = block.closest("[data-chapter]");
  const range = getSelection().rangeCount ? getSelection().getRangeAt(0) : null;
  const isInside = range && !range.collapsed && block.contains(range.startContainer) && block.contains(range.endContainer);
  const offset = (node, at) => {
    const before = document.createRange();
    before.selectNodeContents(block);
    before.setEnd(node, at);
    return before.toString().length;
  };
  open({
    chapterId: chapter.dataset.chapter,
    revision: Number(chapter.dataset.revision),
    blockId: block.id,
    from: isInside ? offset(range.startContainer, range.startOffset) : null,
    to: isInside ? offset(range.endContainer, range.endOffset) : null,
    quote: (isInside ? range.toString() : block.textContent).trim().slice(0, 300),
  });
}

const blockOf = (target) => target.closest("main [id^='b_']");
document.addEventListener("click", (event) => {
  const block = blockOf(event.target);
  if (block && !event.target.closest("a")) comment(block);
});
document.addEventListener("keydown", (event) => {
  const block = event.key === "Enter" && blockOf(event.target);
  if (block) { event.preventDefault(); comment(block); }
});
document.querySelectorAll("main [id^='b_']").forEach((block) => { block.tabIndex = 0; });
$("reader").value = kept.reader;
$("reader").oninput = () => { kept.reader = $("reader").value; keep(); };
$("form").onsubmit = (event) => {
  event.preventDefault();
  const text = $("text").value.trim();
  if (text === "" || place === undefined) return;
  kept.comments.push({ ...place, text, at: new Date().toISOString() });
  $("text").value = "";
  $("form").hidden = true;
  keep();
  show();
  document.getElementById(place.blockId)?.focus({ preventScroll: true });
};
$("cancel").onclick = () => { $("form").hidden = true; };
$("save").onclick = () => {
  const { book, title } = document.body.dataset;
  const review = { manuscriptReview: 1, bookId: book, title, reader: kept.reader.trim(), comments: kept.comments };
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([JSON.stringify(review, null, 1)], { type: "application/json" }));
  const name = (text) => text.toLowerCase().replace(/[^\\p{L}\\p{N}]+/gu, "-").replace(/^-|-$/g, "");
  link.download = [name(title), name(kept.reader) || "reader"].join("-") + ".comments.json";
  link.click();
  $("state").textContent = "Saved as " + link.download + ". Send that file to the writer.";
};
show();
`;
