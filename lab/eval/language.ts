import { languageOf } from "../../src/reading/language.ts";
import { learnLanguage } from "../../src/reading/learn-language.ts";
import { groupBy } from "../../src/text/group-by.ts";
import { litbankFiles, litbankFolder, readNovel } from "./litbank.ts";

// Marks of the language report to be judged by hand, drawn evenly: `MANUSCRIPT_LITBANK=FOLDER node --import tsx
// lab/eval/language.ts NOVEL COUNT [SEED]`, where NOVEL is a part of a file's name.
const [name = "", count = "100", seed = "1"] = process.argv.slice(2);
const file = litbankFiles(litbankFolder()).find((one) => one.includes(name));
if (file === undefined) throw new Error(`no novel of LitBank is called ${name}`);

function finish<Result>(steps: Generator<void, Result>): Result {
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value;
}

/** Numbers from 0 to 1 that follow from the seed. Source: Park and Miller 1988. */
function* randomFrom(start: number): Generator<number, never> {
  for (let state = start; ; ) {
    state = (state * 48_271) % 0x7fffffff;
    yield state / 0x7fffffff;
  }
}

const learnt = readNovel(file).book.chapters.map((chapter) => finish(learnLanguage(chapter.read())));
const marks = finish(languageOf(learnt)).flat();
const words = learnt.reduce((sum, chapter) => sum + chapter.words, 0);
const byKind = groupBy(marks, ({ kind }) => kind);
console.log(`${words} words, ${marks.length} marks`);
for (const [kind, own] of byKind) console.log(`${kind} ${own.length}`);
const random = randomFrom(Number(seed));
for (const { kind, word, sentence } of marks
  .map((mark) => ({ mark, order: random.next().value }))
  .sort((one, other) => one.order - other.order)
  .slice(0, Number(count))
  .map(({ mark }) => mark))
  console.log(`[${kind} ${word}] ${sentence.replace(/\s+/g, " ")}`);
