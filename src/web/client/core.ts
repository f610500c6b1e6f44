// What the page begins with. Every view that is loaded later imports it, so that all of it is one file to load and not one
// for each set of views that share a part (`build/page.ts` adds the import).
import "preact/jsx-runtime";
import "@preact/signals";
import "./api/reads.ts";
import "./api/write.ts";
import "./api/use-answer.ts";
import "./drops.ts";
import "./parts/acts/act-line.tsx";
import "./parts/button.tsx";
import "./parts/form.tsx";
import "./parts/in-place.tsx";
import "./parts/keys.ts";
import "./parts/later.tsx";
import "./parts/menu.tsx";
import "./parts/numbers.ts";
import "./parts/status.tsx";
import "./parts/choices/switch.tsx";
import "./parts/choices/look.ts";
import "./parts/toasts.tsx";
import "./parts/use-slices.ts";
import "./parts/view.tsx";
import "./router.ts";
import "./views/desk/outline.ts";
