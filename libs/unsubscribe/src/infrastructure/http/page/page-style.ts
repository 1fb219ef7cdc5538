/** The style of the preference page, in light and dark. It loads nothing: neither fonts nor pictures of other servers. */
export function pageStyle(accent: string): string {
  return `:root{color-scheme:light dark;--accent:${accent};--on:${textOn(accent)};--bg:#f6f6f7;--card:#fff;--text:#18181b;--soft:#5f6068;--line:#e4e4e8;--ok:#e9f7ef;--okt:#14693a;--danger:#b42318}
@media(prefers-color-scheme:dark){:root{--bg:#101013;--card:#1a1a1f;--text:#f3f3f5;--soft:#a5a6ae;--line:#303038;--ok:#12301f;--okt:#8fe0b0;--danger:#ff9d92}}
*{box-sizing:border-box}body{margin:0;min-height:100vh;background:var(--bg);color:var(--text);font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;-webkit-font-smoothing:antialiased}
main{max-width:34rem;margin:0 auto;padding:clamp(1.25rem,7vh,5rem) 1rem 3rem}
header{display:flex;align-items:center;gap:.85rem;margin:0 .25rem 1.25rem}
.logo{max-height:44px;max-width:11rem;border-radius:8px}.mark{width:44px;height:44px;flex:none;border-radius:12px;background:var(--accent);color:var(--on);display:grid;place-items:center;font-weight:650;font-size:1.2rem}
.team{font-weight:600;overflow-wrap:anywhere}
.card{background:var(--card);border:1px solid var(--line);border-radius:16px;padding:1.6rem;box-shadow:0 1px 2px #0000000a,0 12px 32px -18px #00000026}
h1{font-size:1.35rem;line-height:1.25;letter-spacing:-.012em;margin:0 0 .3rem}h2{font-size:.95rem;margin:0 0 .35rem}
p{margin:0}.soft{color:var(--soft);overflow-wrap:anywhere}.small{font-size:.9rem}
.done{background:var(--ok);color:var(--okt);border-radius:10px;padding:.75rem .95rem;margin:0 0 1.25rem;font-weight:550;overflow-wrap:anywhere}
section{border-top:1px solid var(--line);margin-top:1.4rem;padding-top:1.4rem}
fieldset{border:0;margin:0;padding:0;min-width:0}legend{font-weight:600;font-size:.95rem;padding:0;margin-bottom:.3rem}
.topic{display:flex;gap:1rem;align-items:flex-start;justify-content:space-between;padding:.7rem 0;cursor:pointer;border-bottom:1px solid var(--line)}.topic:last-of-type{border-bottom:0}
.topic>span{min-width:0;overflow-wrap:anywhere}.topic b{font-weight:550;display:block}
input[type=checkbox]{appearance:none;-webkit-appearance:none;flex:none;margin:.1rem 0 0;width:2.6rem;height:1.5rem;border-radius:1rem;background:var(--soft);position:relative;cursor:pointer;transition:background .15s}
input[type=checkbox]::after{content:"";position:absolute;top:3px;left:3px;width:1.125rem;height:1.125rem;border-radius:50%;background:#fff;box-shadow:0 1px 2px #0004;transition:transform .15s}
input[type=checkbox]:checked{background:var(--accent)}input[type=checkbox]:checked::after{transform:translateX(1.1rem)}
button{font:inherit;font-weight:600;border-radius:10px;padding:.7rem 1.1rem;border:1px solid transparent;cursor:pointer;max-width:100%;overflow-wrap:anywhere}
.primary{background:var(--accent);color:var(--on);border-color:var(--line);width:100%;margin-top:1rem}.primary:hover{filter:brightness(1.08)}
.plain{background:transparent;color:var(--danger);border-color:var(--line);margin-top:.85rem}.plain:hover{border-color:currentColor}.undo{margin:0 0 1.25rem;color:var(--text)}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
@media(forced-colors:active){input[type=checkbox]{appearance:auto;-webkit-appearance:auto}input[type=checkbox]::after{content:none}}
@media(prefers-reduced-motion:reduce){*{transition:none!important}}`;
}

/** Black or white, whichever can be read better on the colour (WCAG 2.2, relative luminance). */
export function textOn(color: string): '#000' | '#fff' {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  return 1.05 / (luminance + 0.05) >= (luminance + 0.05) / 0.05 ? '#fff' : '#000';
}
