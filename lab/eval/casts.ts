import type { ReadingFact } from "../../src/reading/reading.ts";

/**
 * Casts of public-domain novels, in our own words: one line a fact, its aliases behind the name. A place begins with "@".
 */
const CASTS: Readonly<Record<string, string>> = {
  alice: `
Alice
White Rabbit | Rabbit
Duchess
Cheshire Cat
Hatter | Mad Hatter
March Hare
Dormouse
Queen of Hearts
King of Hearts
Knave of Hearts | Knave
Mock Turtle
Gryphon
Caterpillar
Bill | Bill the Lizard
Dinah
Mary Ann`,
  dracula: `
Count Dracula | Dracula | the Count
Jonathan Harker | Jonathan | Mr. Harker | Harker
Mina Harker | Mina | Mina Murray | Madam Mina | Mrs. Harker | Wilhelmina
Lucy Westenra | Lucy | Miss Lucy | Miss Westenra
Abraham Van Helsing | Van Helsing | Professor Van Helsing | Dr. Van Helsing
John Seward | Dr. Seward | Jack Seward | Seward
Arthur Holmwood | Arthur | Lord Godalming | Godalming | Mr. Holmwood
Quincey Morris | Quincey P. Morris | Quincey | Mr. Morris
R. M. Renfield | Renfield
Mrs. Westenra
Peter Hawkins | Mr. Hawkins
Mr. Swales | Swales
@Whitby
@London
@Transylvania
@Carfax
@Bistritz
@Purfleet
@Exeter
@Hillingham
@Piccadilly
@Varna
@Galatz
@Demeter`,
  frankenstein: `
Victor Frankenstein | Victor | Frankenstein
Elizabeth Lavenza | Elizabeth
Henry Clerval | Clerval | Henry
Alphonse Frankenstein
William | William Frankenstein
Justine Moritz | Justine
Robert Walton | Walton
Margaret Saville | Margaret
Felix
Agatha
Safie
De Lacey
M. Krempe | Krempe
M. Waldman | Waldman
Mr. Kirwin | Kirwin
Ernest
@Geneva
@Ingolstadt
@Switzerland
@Mont Blanc
@Chamounix
@Leghorn`,
  "moby-dick": `
Ishmael
Ahab | Captain Ahab
Queequeg
Starbuck
Stubb
Flask
Tashtego
Daggoo
Fedallah | Parsee
Pip
Peleg | Captain Peleg
Bildad | Captain Bildad
Elijah
Father Mapple
Peter Coffin
Mrs. Hussey
Dough-Boy
Perth
Gabriel
Captain Mayhew | Mayhew
Steelkilt
Radney
Moby Dick
Captain Boomer | Boomer
Captain Gardiner
@Nantucket
@New Bedford
@Pequod
@Manxman
@Rachel
@Jeroboam
@Samuel Enderby`,
  "pride-and-prejudice": `
Elizabeth Bennet | Elizabeth | Lizzy | Eliza | Miss Eliza Bennet | Miss Elizabeth Bennet
Fitzwilliam Darcy | Mr. Darcy | Darcy
Jane Bennet | Jane | Miss Bennet
Charles Bingley | Mr. Bingley | Bingley | Charles
Mr. Bennet
Mrs. Bennet
Lydia Bennet | Lydia
Catherine Bennet | Kitty
Mary Bennet | Mary
George Wickham | Mr. Wickham | Wickham
William Collins | Mr. Collins | Collins
Charlotte Lucas | Charlotte | Miss Lucas | Mrs. Collins
Lady Catherine de Bourgh | Lady Catherine
Miss de Bourgh
Caroline Bingley | Miss Bingley | Caroline
Mrs. Hurst
Mr. Hurst
Georgiana Darcy | Miss Darcy | Georgiana
Colonel Fitzwilliam
Mrs. Gardiner
Mr. Gardiner
Mrs. Phillips
Mr. Phillips
Sir William Lucas | Sir William
Lady Lucas
Maria Lucas | Maria
Mrs. Reynolds
Mrs. Long
Mr. Denny | Denny
Colonel Forster
Mrs. Forster | Harriet
@Netherfield
@Longbourn
@Meryton
@Pemberley
@Rosings
@Hunsford
@Lambton
@Brighton
@Derbyshire
@Hertfordshire`,
};

/** The cast of a novel of the corpus; undefined for one that has none here. */
export function castOf(novel: string): ReadingFact[] | undefined {
  const lines = CASTS[novel]?.trim().split("\n");
  return lines?.map((line, index) => {
    const [name = "", ...aliases] = line
      .replace("@", "")
      .split("|")
      .map((text) => text.trim());
    const kind = line.startsWith("@") ? "place" : "character";
    return { id: `fa_${index}`, name, kind, aliases, attributes: [], summary: "" };
  });
}
