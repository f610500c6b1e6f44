/**
 * Two places of a book that contradict each other, as a novel words them: `{}` marks what does. Written before any rule of
 * the passages was. The first name is the fact that both speak of, its aliases behind it; the others are in the cast, too.
 * A place begins with "@", a thing with "#".
 */
export interface NaturalPair {
  kind: string;
  cast: readonly string[];
  one: string;
  other: string;
}

const pair = (kind: string, cast: string, one: string, other: string): NaturalPair => ({
  kind,
  cast: cast.split(";"),
  one,
  other,
});

/** Four of each kind. */
export const NATURAL_PAIRS: readonly NaturalPair[] = [
  pair(
    "eyes",
    "Nora Vance|Nora;Ellis",
    "Nora came in out of the rain and dropped her keys in the bowl. Ellis had the kettle on already. She looked up at him, and he saw that {her eyes, green as bottle glass}, were wet.",
    "“You’ve not slept,” said Ellis. Nora shook her head. In the light of the refrigerator {those brown eyes of hers} seemed too large for the rest of her face.",
  ),
  pair(
    "eyes",
    "Tomas Reil|Tomas;Agathe",
    "Agathe did not trust him. It was not the manners, which were good, nor the shoes. Tomas had {pale eyes, almost colourless}, and he used them on people like a man checking a fence.",
    "When Tomas laughed the whole table turned. He threw his head back. {His dark eyes} shone; one would have given him the money at once.",
  ),
  pair(
    "eyes",
    "Wren;Mrs. Calloway|Calloway",
    "“She has {her father’s eyes},” said Mrs. Calloway, looking the child over. “{Grey, like the sea at Filey}.” Wren put her tongue out.",
    "Mrs. Calloway bent and took the girl by the chin. Wren stood it. {Her eyes were hazel with a fleck of gold in the left one}, and they did not blink.",
  ),
  pair(
    "eyes",
    "Hollis Crane|Hollis|Crane;Danny",
    "Danny would remember the room afterwards, the fan, the ashtray, and behind the desk Crane himself, who took off his glasses and rubbed the bridge of his nose. Without them {his eyes were small and very blue}.",
    "The photograph was a poor one. But there was no mistaking Hollis, even at that age: the jug ears, the cowlick, {the black eyes} staring down whoever had held the camera.",
  ),
  pair(
    "hair",
    "Imogen Pell|Imogen;Rafe",
    "The wind on the pier took Rafe’s hat and then had a go at Imogen. She laughed and let it; {red hair flew across her mouth} and she bit it.",
    "He found her on the back step, peeling potatoes into a bucket. She had tied a scarf over {the short fair hair} and did not hear him. “Imogen,” he said.",
  ),
  pair(
    "hair",
    "Captain Aldous Finch|Aldous|Finch;Bray",
    "Finch was waiting on the quay. He was a long man in a short coat, and {what hair he had was white} and stood up like the crest of some offended bird.",
    "Bray watched him comb it in the glass. The captain was vain of that. At fifty-eight Aldous still had {every hair on his head, and every one of them was black}.",
  ),
  pair(
    "hair",
    "Lucia;Marco",
    "“Sit still.” Marco’s mother had the scissors. Lucia sat still. {The plait reached to her waist}, and nobody had ever cut it.",
    "Lucia dried off in the sun, on the stones. It did not take long. {Her cropped head} was like a boy’s, and the aunts clicked their tongues as they went by.",
  ),
  pair(
    "hair",
    "Petra Lindqvist|Petra;Jonas",
    "Jonas picked her out at once from the top of the escalator. Petra was always the tallest, and {that blonde head} went through the crowd like a lamp.",
    "She pushed the hood back. “Well?” Petra said. Snow had got in at the collar, and {her curls, dark as tar}, were full of it.",
  ),
  pair(
    "age",
    "Emmet Doyle|Emmet;Fiona",
    "Emmet cut the cake himself. {Thirty-four}, and he still blew the candles out like a child, with his cheeks full.",
    "“How old is he, your brother?” the nurse asked. Fiona had to think about it. “Emmet? {He’ll be forty in March}.” It was the same autumn.",
  ),
  pair(
    "age",
    "Sabine;Henrik",
    "Henrik had known Sabine since the school in Tarn Street. {She was nineteen that summer}, and could drive anything with wheels.",
    "The magistrate looked over his spectacles at the girl. Sabine looked back. It was put down in the record that {the prisoner was sixteen years of age}.",
  ),
  pair(
    "age",
    "Old Garrity|Garrity;Noah",
    "Nobody in the yard knew how old Garrity was, and the man himself gave out a new figure each year. Noah had seen the discharge papers, however: {born in 1871}, in Cork.",
    "They buried Garrity on the Thursday. It rained. The stone, when it came, gave the name and two dates, {1879 and 1938}, and Noah stood in front of it, doing the sum again.",
  ),
  pair(
    "age",
    "Mina Osei|Mina;Kojo",
    "Kojo carried her up the stairs, shoes and all. At {five years old} Mina was already too heavy for it, and she told him so.",
    "“I’m not a baby,” Mina said. “{I’m eight}.” Kojo said that he had heard.",
  ),
  pair(
    "hand",
    "Josef Marek|Josef;Ilse",
    "Josef signed where the man pointed. Ilse noticed that {he held the pen in his left hand}, the wrist hooked round it as if somebody might copy.",
    "He caught the ball without looking. It was a thing Josef did, {always with the right, his good hand}, while he talked of something else.",
  ),
  pair(
    "hand",
    "Bell;Marguerite",
    "“Mind the step,” Marguerite said. Bell minded it. {He had lost two fingers of the right hand} at Ypres and carried things against his chest.",
    "Marguerite watched Bell at the keyboard after dinner. He played the whole of the Schumann for her. {Ten fingers, long and white}, and not a wrong note.",
  ),
  pair(
    "hand",
    "Adeyemi;Constable Roper|Roper",
    "Roper had been told to look for a scar. Adeyemi saved him the trouble and pushed up the sleeve: {it ran from the left wrist to the elbow}, shiny as tape.",
    "She helped Adeyemi out of the coat, one arm, then the other. {The scar on his right forearm} had gone purple in the cold.",
  ),
  pair(
    "hand",
    "Clementine;Oskar",
    "Clementine came down first. She did not care for the banister; {she walked with a stick, the left leg dragging a little}, and would take nobody’s arm.",
    "Oskar was out of breath at the second gate. Clementine had not even slowed. {She ran with that long easy stride}, and waited for him at the top with her hands on her hips.",
  ),
  pair(
    "siblings",
    "Dorothy Hale|Dorothy;Simon",
    "“I wouldn’t know,” said Dorothy. “{I was an only child}.” Simon said that explained a good deal.",
    "There was a second bed in the room, made up. Dorothy saw him look at it. {Her sister’s}, she said; she came at Christmas when the trains ran.",
  ),
  pair(
    "siblings",
    "Matteo Brandt|Matteo;Greta",
    "{Matteo had three brothers}, all of them in the business, and each of them had at some time or other tried to sell Greta a car.",
    "Greta found it odd, such a big house and so few photographs. Matteo shrugged. {“There was only ever Luca and me,” he said}.",
  ),
  pair(
    "siblings",
    "Alma;Ruben",
    "The letter was from home. Alma read it standing. {Her elder brother} had sold the mill, and wished her to know it before the neighbours did.",
    "Ruben had never thought of her as a child. But she must have been one, and, since {Alma was the eldest}, a tired one.",
  ),
  pair(
    "siblings",
    "Viktor Sand|Viktor;Lena",
    "“Your mother must worry,” Lena said. Viktor turned the glass round on its mat. “{My mother died when I was born},” he said.",
    "The telephone went at seven, as it did every Sunday. Viktor took it in the hall. {“Yes, Mother,” he said}. “No, Mother. It has not snowed.”",
  ),
  pair(
    "possession",
    "Isolde Grant|Isolde;Peter",
    "Peter waited while she looked for her purse. On Isolde’s wrist {a gold watch, a man’s, hung loose} as a bangle; it had been somebody’s once.",
    "Isolde asked him the time. Peter told her. {She had never owned a watch}, she said, they stopped on her.",
  ),
  pair(
    "possession",
    "Quill;Harriet",
    "The dog came round the side of the house before he did, a big {yellow dog with one ear}, and behind it Quill, saying it would not hurt her, saying {he’d had it since it was a pup}.",
    "“No animals,” said Quill. “{I never kept a dog in my life}, miss, nor a cat.” Harriet looked at the hair on his trousers.",
  ),
  pair(
    "possession",
    "Father Anselm|Anselm;Teresa",
    "Teresa brought in the coals. Anselm sat with his feet on the fender, turning {the ring on his finger, a plain silver one}, the way others told their beads.",
    "What she remembered of Anselm was the hands. They lay on the cloth like two tools that somebody had cleaned. {He wore no ring}, not even the one they gave him.",
  ),
  pair(
    "possession",
    "Rosalind Keane|Rosalind;Hugh",
    "“It’s a lovely old place,” Hugh said. Rosalind laughed at him. {The house had been her grandmother’s}, and every pipe in it was older than the grandmother.",
    "Rosalind counted out the notes on to the oilcloth. The landlady counted them again. {Eleven years she had paid rent on those two rooms}, and the damp had never once been seen to.",
  ),
  pair(
    "profession",
    "Lev Abrams|Lev;Judith",
    "Lev never spoke about the hospital at table. {He was a surgeon}, and Judith’s mother thought it a pity that so clean a man should be so quiet.",
    "“Ask my husband,” said Judith. “{He’s been teaching Latin to those boys for twenty years}. Lev! Come and tell this gentleman about the ablative.”",
  ),
  pair(
    "profession",
    "Carys;Bryn",
    "Bryn found her under the Bedford with her boots sticking out. {Carys had worked at the garage} since she was fifteen, and there was no engine in the valley that she had not had in pieces.",
    "The bell rang, and the children went past Bryn like water. Carys came last, with chalk on her skirt. {It was her third year at the school} and it had begun to show in her voice.",
  ),
  pair(
    "profession",
    "Jerome Vail|Jerome|Vail;Nadia",
    "Vail’s name was on the glass in gilt, and under it, smaller, {Attorney at Law}. Nadia knocked.",
    "Nadia knew nothing about him but what Jerome had told her that first night: that he was from Duluth, that he took two sugars, and that {he tuned pianos for a living}.",
  ),
  pair(
    "profession",
    "Ottoline;Fenwick",
    "Fenwick had supposed that authors were tall. Ottoline was five feet nothing. {She had written eleven novels} and all of them, she told him, were about the same dog.",
    "It was Ottoline who opened, {in her nurse’s uniform}, with her cap pinned anyhow. “You’ll have to be quick,” she told Fenwick. “I’m on at six.”",
  ),
  pair(
    "vehicle",
    "Dale Prior|Dale;Ronnie",
    "Ronnie heard him before she saw him. Dale’s {truck, a blue Ford with a door off something else}, came over the cattle grid and stopped.",
    "Dale was asleep at the wheel with the radio on. She knocked on the roof. {That old white Chevy of his} had not been washed since the funeral.",
  ),
  pair(
    "vehicle",
    "Yusuf;Helen",
    "“I’ll walk,” said Yusuf. He always did. {He had never learned to drive}, and Helen had given up offering to teach him.",
    "They were late, and the lights were against them. Yusuf {put the car into third and went through} on the amber while Helen looked at the map.",
  ),
  pair(
    "vehicle",
    "Inspector Lowe|Lowe;Dacre",
    "A motorcycle stood against the railings. It was Lowe’s; {he went everywhere on it}, in all weathers, in a leather helmet that made him look like an egg.",
    "Dacre held the gate. The inspector had come, as ever, {on his bicycle}, with his trousers clipped. “Evening,” said Lowe.",
  ),
  pair(
    "vehicle",
    "Madeleine Roux|Madeleine;Etienne",
    "Etienne lifted the trunk on to the rack for her. {Madeleine’s little grey Citroën} was full to the roof already, mostly with books and a birdcage.",
    "What Etienne would not forgive was the noise. She drove up on the Sunday in {a red Alfa with the hood down}, and the whole square came out to look at Madeleine.",
  ),
  pair(
    "title",
    "Robert Ashby|Robert|Ashby;Kemp",
    "“{Sergeant Ashby}, sir,” said Kemp, and stood aside. Robert saluted without taking the pipe from his mouth.",
    "They had put Kemp in the back with the maps. In front {Major Ashby} was asleep, or pretending to be. He had held the rank for six years.",
  ),
  pair(
    "title",
    "Winifred Strand|Winifred;Coombe",
    "“It’s {Miss} Strand,” said Winifred. “{I never married}.” Coombe begged her pardon and wrote it down.",
    "Coombe had met {the husband} once, at the Corn Exchange, and could see why Winifred had kept on with the bees. {He was a man} of few words and several greatcoats.",
  ),
  pair(
    "title",
    "Lady Honoria Beck|Honoria;Tilda",
    "Tilda took the tray up. Honoria was in bed with the newspapers. {“The Duke, my late husband,” she said}, “could not abide marmalade.”",
    "Honoria had come down in the world by stages. First the horses went. {The widow of a baronet} does not starve, but Tilda had seen her counting the lamps.",
  ),
  pair(
    "title",
    "Ishaan Rao|Ishaan;Priya",
    "Priya read the card twice. {Dr. Ishaan Rao}, it said, in raised letters. She had expected someone with a beard.",
    "“They never let me finish,” Ishaan said. “{I left the university without a degree}, and it has not done me any harm.” Priya doubted that.",
  ),
  pair(
    "geography",
    "@Saltmere;Ned;@Hexley",
    "Saltmere was {two hours north of Hexley} by the slow train. Ned slept for most of it.",
    "“Where’s that?” the driver asked. Ned told him. Saltmere, it turned out, lay {a good day’s ride to the south}, beyond the marsh.",
  ),
  pair(
    "geography",
    "@Corvane;Ysolt",
    "Ysolt had expected walls. But Corvane {had none; it stood open on its hill}, like a hand.",
    "They came to Corvane by night. {The gate was shut} and there were torches on the wall, and a voice that wanted to know their names.",
  ),
  pair(
    "geography",
    "@The Anchor|Anchor;Maud;@Bridge Street",
    "The Anchor {stood at the corner of Bridge Street}, with its back to the river. Maud had the upstairs.",
    "Maud went in by the yard. It was noon, and the bar was empty. The Anchor {looked straight on to the market square}, so that on Saturdays one could not hear oneself speak.",
  ),
  pair(
    "geography",
    "@Lake Orrin|Orrin;Tobias",
    "Tobias let down the stone on its string. {No one had found the bottom} of Orrin; his father had tried with eighty fathoms.",
    "In August the boys walked across. Lake Orrin {was nowhere deeper than a man’s waist}, and at the reeds it barely covered the ankle.",
  ),
];
