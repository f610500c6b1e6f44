import { escaped, XML } from "../parts/xml.ts";
import { NAMESPACES } from "./parts.ts";

/** `manuscript`: standard manuscript format, as agents and editors expect it. `plain`: for reading. */
export type DocxStyle = "manuscript" | "plain";

/** A paragraph style: its name in Word, format of the paragraph, of its text, and what follows it. */
type Style = [id: string, name: string, paragraph: string, text?: string, next?: "Normal"];

const FLAT = '<w:ind w:firstLine="0"/>';
const SINGLE = '<w:spacing w:line="240" w:lineRule="auto"/>';
const CENTRED = '<w:jc w:val="center"/>';
const NEW_PAGE = "<w:pageBreakBefore/>";
const COURIER = '<w:rFonts w:ascii="Courier New" w:hAnsi="Courier New" w:cs="Courier New"/>';
const spaced = (before: number, after = 0) => `<w:spacing w:before="${before}" w:after="${after}"/>`;

function stylesOf(style: DocxStyle): Style[] {
  const isSent = style === "manuscript";
  const body = isSent
    ? '<w:widowControl w:val="0"/><w:spacing w:line="480" w:lineRule="auto"/><w:ind w:firstLine="720"/>'
    : '<w:spacing w:line="288" w:lineRule="auto"/><w:ind w:firstLine="360"/>';
  const heading = (level: number): Style => [
    `Heading${level}`,
    `heading ${level}`,
    `<w:keepNext/>${level === 1 ? NEW_PAGE + spaced(isSent ? 2880 : 1440, 480) : spaced(240, 120)}${FLAT}${CENTRED}<w:outlineLvl w:val="${level - 1}"/>`,
    level === 1 ? '<w:b w:val="0"/>' : '<w:b w:val="0"/><w:i/>',
    "Normal",
  ];
  return [
    ["Normal", "Normal", body],
    ...[1, 2, 3, 4, 5, 6].map(heading),
    ["Title", "Title", spaced(4320) + FLAT + CENTRED, isSent ? "" : '<w:sz w:val="40"/>', "Normal"],
    ["Subtitle", "Subtitle", FLAT + CENTRED],
    ["TitlePage", "Title Page", SINGLE + FLAT],
    ["PartTitle", "Part Title", NEW_PAGE + spaced(4320) + FLAT + CENTRED, "", "Normal"],
    ["SceneBreak", "Scene Break", FLAT + CENTRED, "", "Normal"],
    ["TheEnd", "The End", spaced(480) + FLAT + CENTRED],
    ["Quote", "Quote", '<w:ind w:left="720" w:right="720" w:firstLine="0"/>', '<w:i w:val="0"/>'],
    ["ListParagraph", "List Paragraph", '<w:ind w:left="720" w:firstLine="0"/>'],
    ["SourceText", "Source Text", SINGLE + FLAT, COURIER],
    ["TableText", "Table Text", SINGLE + FLAT],
    ["FootnoteText", "footnote text", SINGLE + FLAT, '<w:sz w:val="20"/>'],
    ["CommentText", "annotation text", SINGLE + FLAT, '<w:sz w:val="20"/>'],
    ["Header", "header", `${SINGLE}${FLAT}<w:jc w:val="right"/>`],
  ];
}

function styleXml([id, name, paragraph, text = "", next]: Style): string {
  const isNormal = id === "Normal";
  const based = isNormal ? "" : '<w:basedOn w:val="Normal"/>';
  const then = next === undefined ? "" : `<w:next w:val="${next}"/>`;
  const format = text && `<w:rPr>${text}</w:rPr>`;
  return `<w:style w:type="paragraph"${isNormal ? ' w:default="1"' : ""} w:styleId="${id}"><w:name w:val="${name}"/>${based}${then}<w:qFormat/><w:pPr>${paragraph}</w:pPr>${format}</w:style>`;
}

const CHARACTERS: readonly [id: string, name: string, format: string][] = [
  ["FootnoteReference", "footnote reference", '<w:vertAlign w:val="superscript"/>'],
  ["CommentReference", "annotation reference", '<w:sz w:val="16"/>'],
  ["Hyperlink", "Hyperlink", ""],
  ["Code", "Code", COURIER],
];

const TABLE = `<w:style w:type="table" w:default="1" w:styleId="TableNormal"><w:name w:val="Normal Table"/><w:tblPr><w:tblInd w:w="0" w:type="dxa"/><w:tblCellMar><w:left w:w="108" w:type="dxa"/><w:right w:w="108" w:type="dxa"/></w:tblCellMar></w:tblPr></w:style><w:style w:type="table" w:styleId="TableGrid"><w:name w:val="Table Grid"/><w:basedOn w:val="TableNormal"/><w:tblPr><w:tblBorders>${["top", "left", "bottom", "right", "insideH", "insideV"].map((side) => `<w:${side} w:val="single" w:sz="4" w:space="0" w:color="auto"/>`).join("")}</w:tblBorders></w:tblPr></w:style>`;

/** The part of the styles. */
export function stylesXml(style: DocxStyle, language: string): string {
  const font = style === "manuscript" ? "Times New Roman" : "Georgia";
  const lang = language === "" ? "" : `<w:lang w:val="${escaped(language)}"/>`;
  const size = style === "manuscript" ? 24 : 22;
  const defaults = `<w:docDefaults><w:rPrDefault><w:rPr><w:rFonts w:ascii="${font}" w:hAnsi="${font}" w:cs="${font}" w:eastAsia="${font}"/><w:sz w:val="${size}"/><w:szCs w:val="${size}"/>${lang}</w:rPr></w:rPrDefault><w:pPrDefault/></w:docDefaults>`;
  const paragraphs = stylesOf(style).map(styleXml);
  const characters = CHARACTERS.map(
    ([id, name, format]) =>
      `<w:style w:type="character" w:styleId="${id}"><w:name w:val="${name}"/>${format && `<w:rPr>${format}</w:rPr>`}</w:style>`,
  );
  const text =
    '<w:style w:type="character" w:default="1" w:styleId="DefaultParagraphFont"><w:name w:val="Default Paragraph Font"/></w:style>';
  return `${XML}<w:styles ${NAMESPACES}>${defaults}${paragraphs.join("")}${text}${characters.join("")}${TABLE}</w:styles>`;
}

/** The part of the lists, by number from 1; undefined for one with bullets. */
export function numberingXml(lists: readonly (number | undefined)[]): string {
  const level = (start: number | undefined, at: number) => {
    const format = start === undefined ? "bullet" : "decimal";
    const sign = start === undefined ? "•" : `%${at + 1}.`;
    return `<w:lvl w:ilvl="${at}"><w:start w:val="${start ?? 1}"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${sign}"/><w:lvlJc w:val="left"/><w:pPr><w:ind w:left="${720 * (at + 1)}" w:hanging="360"/></w:pPr></w:lvl>`;
  };
  const kinds = lists.map((start, at) => {
    const levels = Array.from({ length: 9 }, (_, depth) => level(start, depth)).join("");
    return `<w:abstractNum w:abstractNumId="${at + 1}"><w:multiLevelType w:val="multilevel"/>${levels}</w:abstractNum>`;
  });
  const numbers = lists.map(
    (_, at) => `<w:num w:numId="${at + 1}"><w:abstractNumId w:val="${at + 1}"/></w:num>`,
  );
  return `${XML}<w:numbering ${NAMESPACES}>${kinds.join("")}${numbers.join("")}</w:numbering>`;
}
