/** Words so common that nobody hears them come back. */
export const COMMONEST = new Set(
  `about above across after again against almost alone along already also although always among another around asked away back because been
  before began behind being below beneath beside between beyond both brought called came cannot could course different does doing done down during each early
  either else enough even ever every everything except family felt first found from full gave getting given going gone good great
  hand hands hardly have having head heard held here herself himself house indeed into itself just kept knew know large last least left less like little
  long look looked looking lost made make many might mind moment more most much must myself near nearly never next night nothing once only
  open other others ourselves over own part people perhaps place point present quite rather really right room round said same saw second seemed seen
  several shall should side since small some something soon stand still stood such take taken talk tell than that their them themselves then
  there these they thing things think third this those though thought three through till time together told took toward towards turned under
  until upon used very voice want wanted watch water well went were what when where whether which while whole whom whose will wish with within
  without woman word words work world would year years young your scarcely merely simply suddenly certainly probably particularly possibly usually generally
  exactly entirely completely perfectly utterly absolutely extremely immediately presently finally directly lately likely reply supply apply belly holy folly jolly
  ugly july italy assembly anomaly homely lonely lovely friendly daily weekly monthly yearly hourly elderly orderly kindly mostly partly fully truly
  especially equally evidently apparently naturally instantly shortly nightly earthly heavenly manly godly curly rely bully ally lily sally molly`.split(
    /\s+/,
  ),
);
