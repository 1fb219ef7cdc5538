import { useTranslation } from 'react-i18next';

/** A number of a list, in the language of the page. A dash where there is none. */
export function Amount({ value }: { readonly value: number | null | undefined }) {
  const { i18n } = useTranslation();
  if (value === null || value === undefined) return <span className="quiet">–</span>;
  return <span className="tabular">{new Intl.NumberFormat(i18n.language).format(value)}</span>;
}
