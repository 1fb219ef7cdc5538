const isMac = navigator.userAgent.includes('Mac');

/** The key that `mod` stands for. */
export const modKey = isMac ? '⌘' : 'Ctrl';

const names: Readonly<Record<string, string>> = {
  mod: modKey,
  shift: '⇧',
  alt: isMac ? '⌥' : 'Alt',
  ArrowDown: '↓',
  ArrowUp: '↑',
  Escape: 'esc',
  Enter: '↵',
};

/** The keys of a shortcut as they stand on the keyboard. */
export function shownKeys(keys: string): readonly string[] {
  return keys.split(/[ +]/).map((key) => names[key] ?? key);
}
