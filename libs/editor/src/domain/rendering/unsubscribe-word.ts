const words: Readonly<Record<string, string>> = {
  de: 'Abmelden',
  en: 'Unsubscribe',
  es: 'Cancelar la suscripción',
  fr: 'Se désabonner',
  it: 'Annulla l’iscrizione',
  ja: '配信を停止する',
  ko: '수신 거부',
  nl: 'Afmelden',
  pl: 'Wypisz się',
  pt: 'Cancelar inscrição',
  sv: 'Avsluta prenumerationen',
  zh: '退订',
};

/** The label of a link to unsubscribe, in the language of the document. */
export function unsubscribeWord(lang: string): string {
  return words[lang.slice(0, 2).toLowerCase()] ?? (words.en as string);
}
