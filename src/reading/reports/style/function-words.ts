const FUNCTION_WORDS = new Set(
  "a an the this that these those i me my mine myself you your yours yourself he him his himself she her hers herself it its itself we us our ours ourselves they them their theirs themselves one ones oneself who whom whose which what when where why how whether if unless until till since because though although as than then thus so and but or nor yet for not no never none nothing nobody some any somebody someone something anybody anyone anything every everybody everyone everything each all both either neither many much more most few fewer less least several such same other others another own only just even still also too very quite rather almost of to in on at by with from into onto upon over under above below up down out off about around across through along after before behind beside between beyond during without within against toward towards among near like be am is are was were been being have has had having do does did doing done will would shall should can could may might must ought need dare let i'm you're he's she's it's we're they're i've you've we've they've i'd you'd he'd she'd we'd they'd i'll you'll he'll she'll we'll they'll isn't aren't wasn't weren't don't doesn't didn't haven't hasn't hadn't won't wouldn't can't cannot couldn't shan't shouldn't mustn't mightn't needn't ain't there here now again once ever always often yes oh ah well said says say mr mrs miss ms dr sir".split(
    " ",
  ),
);
/** Written without blanks between words: a run of it is none. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

/** True for a word that says something by itself: no article, pronoun, auxiliary, preposition, "said", and no number. */
export function isContentWord(key: string): boolean {
  return key.length > 2 && !FUNCTION_WORDS.has(key) && !/^\d/.test(key) && !UNSPACED.test(key);
}
