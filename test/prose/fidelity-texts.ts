/** Markdown as writers have it, each text for what one kind of program reads in it. */
export const FIDELITY_TEXTS: Readonly<Record<string, string>> = {
  wikilinks: `# The *Pequod* [[Ship|ship]]

See [[Ahab]] and [map](m.md), then ![[chart.png]] and [[Moby Dick#Chapter 1|one]].

- See [[Ahab]] and [map](m.md)
- other item
- [[Queequeg]] alone
  and [[Ishmael]] with a [link](x.md "t")

> [[Starbuck]] said [so](s.md).
> He said \\[[not a link]] too.
`,
  callouts: `> [!note] The title
> See [x](y).
>
> Second para.

> [!WARNING]
> - [ ] one [box](b.md)
> - two [[wiki]]
>
>   more of two

Text between.

> [!tip]- Folded
> > [!quote] Inner with [x](y)
> > text
> after
`,
  tasks: `- [ ] read [x](y)
- [x] done
- other
  - [ ] inner [a][ref] and [b]
  - [X] inner two

1. [ ] first ![pic](p.png)
2. [x] second

[ref]: http://a.example/ref "Title"
[b]: <b.md>
`,
  citations: `As [@knuth, p. 3] says in [x](y). See [@a; @b] and @c [p. 4].

A [Name]{.smallcaps} and [x](y), a [span]{#id key="v"}.

Text^[note with [x](y)] and Figure \\@ref(fig:a) by a\\@b.example.

* See [@doe99] and [link](l.md)
* Table \\@ref(tab:t) of [@roe]
* plain

[^1]: A note by [@moe] with [l](m).

    Its second paragraph \\@ref(x).
`,
  math: `Take $x[i]$ and $\\{a_1\\}$ and [x](y) for \\$5 or \\$6.

- costs \\$5 or \\$6
- $a_1 * b_2 * c$ and $\\alpha$
- other

$$
x_1 = \\frac{a}{b}
$$

\\begin{equation}
E = mc^2
\\end{equation}

1. \\(x\\) and \\[y\\] with \`code\`
1. plain
`,
  tables: `Before the table with [x](y).

| a | b |
|---|:-:|
| 1 [[w]] | \\| |
| _2_ | \`x|y\` |

- an entry
- a table in a list:

  | c | d |
  |---|---|
  | 3 | 4 |

  behind it
- last one
`,
  footnotes: `A word[^1] and another[^note] with _em_[^2].

[^1]: The first with _em_ and [[w]].
[^note]: A long note
    over lines with [l](m),
    and \\*stars\\*.

    Second paragraph of it.

    - a list in it
    - with two entries

Text goes on.[^1]

[^2]: > a quote in a note
`,
  definitions: `Term one
: Its definition with [x](y) and [[w]]

Term two
:   Wide definition
:   Another

*[HTML]: an abbreviation

- see [one] and [two][2]
- [one][] again _here_
- bare

> [3]: /three "in a quote"
> text with [3]

[one]: http://a.example/one
[2]: <two.md> 'second'
`,
  "nested lists": `- one
    - wide _inner_
    - wide **inner** two

        paragraph in it

    - three
- two
   1) odd indent
   2) and more
      lazy
goes on here
* other list
  + plus
  + plus two

    - deep [ ] box
      - deeper
-   wide mark
-   wide again

    with a paragraph
`,
  "nested quotes": `> one _em_
> two __strong__
lazy line
>
>> inner \\_not em\\_
>> more
>
> - list in quote
>   goes on
> - second

>no blank behind the mark
>still none

> # heading in quote
>
> 1. one
>    > quote in it
> 1. one again
`,
  ones: `1. first _em_
1. second
1. third [l](m)

   with a paragraph
1. fourth

8) eight
8) eight
3) three

0. zero
0. zero with __strong__
`,
  "own marks": `Some _em_ and __strong__ and ***both*** and *__mixed__* words.

Within_a_word and *partly*wise and ~~gone _em_~~ text.

- _one_ and other
- *two* and **three**
- ~~four~~ and five

_Whole paragraph in emphasis, with **strong** in it._

Setext _heading_
===

Another one
over two lines
---

## Closed _heading_ ##

#### Deep
`,
  entities: `the &amp; the &nbsp;x and &copy; of &#169; and &#xA9;.

AT&T is no entity; 3 &lt; 4 &gt; 2, &mdash; dash&hellip;

- R&amp;D and other
- &bull; bullet &quot;so&quot;
- plain

&nbsp;

> &emsp;indented &mdash; quote
> second&nbsp;line
`,
  autolinks: `See <http://a.example/x?y=1&z=2> and the end, <mailto:a@b.example>, <me@b.example>.

- the <https://a.example/a_b_c> link
- bare https://a.example/a_b_c and www.a.example
- other

See the [@knuth] at <http://x.y> and the end of ![pic](<a b.png> 'T') here.

> from <ftp://f.example> with [text](http://a.example "Title \\"q\\"") in it
`,
  "code spans": `A \`code span
over a line end\` and the rest of \`\`it \` has\`\` some.

- an entry with \`code
  over a line\` and more
- \` padded \` and \`\`\` three \`\`\`
- plain

> quote \`code
> in lines\` ends
> here

~~~ js
const the = 1;
~~~

- before
  \`\`\`
  the code
  \`\`\`
- after
`,
  blanks: `\tthe code of a novelist with a tab

  two blanks before and two behind${"  "}

\u3000\u3000Ideographic indentation.

\tAnother paragraph,
\twith tabs on both lines\t

A hard break${"  "}
and a \\
backslash break${" "}
soft end.${"   "}

- entry with blanks${"  "}
-   wide entry${" "}
-\ttab entry

> quote${"  "}
> break

Last line of it${"  "}
`,
  html: `<div class="x">
the html
</div>

A <b>bold</b> word<br>and a<br/>
break with <!-- the comment --> in it.

- <kbd>Ctrl</kbd>+<kbd>C</kbd> and other
- <!-- hidden --> seen
- plain

<!-- the comment
over lines -->

> <details>
> text in it
`,
  "empty entries": `- one
- two [[w]] and [l](m)
-

1. a
2.
3. c _em_

*
* second
*

> - quoted
> -
> - \\*third\\*

-
  text below its mark
`,
  windows:
    "# Title\r\n\r\nThe _first_ line\r\nand [[second]] with [x](y).\r\n\r\n- [ ] one [a](b)\r\n- two\r\n  more  \r\n\r\n> [!note] T\r\n> text\r\n\r\n1. a\r\n1. b\r\n",
  "mixed line ends":
    "# Title\r\n\nThe _first_ line\r\nand [[second]] with [x](y).\n\r\n- [ ] one [a](b)\r\n- two\n  more\r\n- three\n\n> [!note] T\r\n> text \\$5\n\r\n1. a\r\n1. b\n",
  breaks: `***

Verse one,${"  "}
verse \\*two\\*,\\
verse [three].

* * *

Before "Straight" -- quotes ... and ‘curly’ — ones…

+ plus _list_
+ 2\\. not a number
+ \\# no heading

{++added++} {--gone--} ==marked== %%comment%% H~2~O x^2^ #tag

::: warning
the text [x](y) \\[z\\]
:::

Chinese **粗体。**比如 and 漢字_かな_ end.
`,
};
