import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';

/**
 * The catalogue: `words/<language>/<part>.json`, used as `t('part:key')`. English is in the first page, the others are loaded when
 * they are chosen. A unit test holds that all languages have the same keys and placeholders.
 */
export const languages = { en: 'English', de: 'Deutsch', ja: '日本語' } as const;
export type Language = keyof typeof languages;

type Part = Record<string, unknown>;
const english = import.meta.glob<Part>('./en/*.json', { eager: true, import: 'default' });
const others = import.meta.glob<Part>(['./de/*.json', './ja/*.json'], { import: 'default' });
const storageKey = 'postrider.language';

const partOf = (file: string): string => file.replace(/^.*\//, '').replace('.json', '');

function preferred(): Language {
  const wanted = [localStorage.getItem(storageKey) ?? '', ...navigator.languages];
  const known = wanted.map((language) => language.slice(0, 2)).find((language) => language in languages);
  return (known ?? 'en') as Language;
}

/** The locale for numbers and times: the browser's own of this language, such as `en-GB`. */
export function localeOf(language: string): string {
  return navigator.languages.find((locale) => locale.startsWith(language)) ?? language;
}

async function load(language: Language): Promise<void> {
  if (language === 'en') return;
  const files = Object.entries(others).filter(([file]) => file.startsWith(`./${language}/`));
  const parts = await Promise.all(files.map(async ([file, read]) => [partOf(file), await read()] as const));
  for (const [part, words] of parts) i18next.addResourceBundle(language, part, words);
}

export async function loadWords(): Promise<void> {
  const en = Object.fromEntries(Object.entries(english).map(([file, words]) => [partOf(file), words]));
  const language = preferred();
  await i18next.use(initReactI18next).init({
    resources: { en },
    lng: 'en',
    fallbackLng: 'en',
    ns: Object.keys(en),
    defaultNS: 'common',
    interpolation: { escapeValue: false },
    saveMissing: true,
    // oxlint-disable-next-line no-console -- A missing text is a bug of ours, and the browser tests fail for it.
    missingKeyHandler: (_languages, part, key) => console.error(`No words for ${part}:${key}`),
  });
  await chooseLanguage(language, false);
}

export async function chooseLanguage(language: Language, keep = true): Promise<void> {
  await load(language);
  if (keep) localStorage.setItem(storageKey, language);
  document.documentElement.lang = language;
  await i18next.changeLanguage(language);
}
