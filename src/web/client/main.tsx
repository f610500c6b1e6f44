import { render } from "preact";
import { followActs } from "./api/follow.ts";
import { followDrops } from "./drops.ts";
import { Page } from "./page.tsx";
import { followKeys } from "./parts/keys.ts";
import { followLinks } from "./router.ts";
import "./core.ts";
import "./style/page.css";

followLinks();
followActs();
followKeys();
followDrops();
render(<Page />, document.getElementById("page")!); // the shell holds it
