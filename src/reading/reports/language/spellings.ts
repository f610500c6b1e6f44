/** Words that are written in two ways, the second in the place of the first. */
const PAIRS = `
  grey/gray greyish/grayish moustache/mustache pyjamas/pajamas aeroplane/airplane defence/defense offence/offense
  pretence/pretense judgement/judgment acknowledgement/acknowledgment ageing/aging towards/toward afterwards/afterward
  okay/ok enquire/inquire enquiry/inquiry enquired/inquired enquiries/inquiries connexion/connection waggon/wagon
  waggons/wagons cosy/cozy plough/plow sceptical/skeptical mediaeval/medieval centre/center theatre/theater fibre/fiber
  sombre/somber lustre/luster meagre/meager spectre/specter sceptre/scepter calibre/caliber manoeuvre/maneuver
  smoulder/smolder smouldering/smoldering woollen/woolen jewellery/jewelry grey-haired/gray-haired shew/show
  shewed/showed shewn/shown chuse/choose surprize/surprise stopt/stopped encrease/increase`;
const OUR =
  "colour honour labour favour humour rumour armour harbour neighbour vapour odour vigour valour splendour parlour saviour behaviour candour ardour clamour demeanour endeavour fervour flavour glamour rancour rigour tumour";

const listed = new Map<string, string>();
for (const pair of PAIRS.trim().split(/\s+/)) {
  const [one = "", other = ""] = pair.split("/");
  listed.set(other, one);
}
const withoutU = new Map(OUR.split(" ").map((word) => [word.replace("our", "or"), word]));

/** Letters that the rules below need; nine of ten words have none of them. */
const MAY_DIFFER = /or|[iy]z|[aeiou]l(?:ed|ing|ers?|ors?|ous)/;

/** The other spelling of a word that may be written in two ways, if this is the one of the two that stands second. */
export function otherSpelling(key: string): string | undefined {
  const one = listed.get(key);
  if (one !== undefined) return one;
  if (!MAY_DIFFER.test(key)) return undefined;
  const [, stem = "", ending = ""] =
    /^(.{3,}or)((?:s|ed|ing|ite|ites|able|ably|ful|fully|less|hood|hoods|ly)?)$/.exec(key) ?? [];
  const full = withoutU.get(stem);
  if (full !== undefined) return full + ending;
  if (/.{3,}iz(?:e|ed|es|ing|er|ers|ation|ations)$/.test(key)) return key.replace(/iz(?=[a-z]+$)/, "is");
  if (/.{3,}yz(?:e|ed|es|ing)$/.test(key)) return key.replace(/yz(?=[a-z]+$)/, "ys");
  const doubled = /^(.*[aeiou][^aeiou]+[aeiou]l)((?:ed|ing|er|ers|or|ors|ous|ously))$/.exec(key);
  return doubled === null ? undefined : `${doubled[1]}l${doubled[2]}`;
}
