import { useTranslation } from 'react-i18next';
import { sentenceOf } from '../../logic/email-story';
import { duration } from '../../logic/moments';
import { Time } from '../../parts/time';
import { localeOf } from '../../words/words';
import type { Trace } from './email-queries';

/** The state of an email for someone who is not technical: "Gmail took it 1.2 seconds after you sent it." */
export function EmailSentence({ trace }: { readonly trace: Trace }) {
  const { t, i18n } = useTranslation();
  const { key, receiver, took, at, category, counts } = sentenceOf(trace);
  if (key === 'several') return <p>{sentenceOfSeveral()}</p>;
  const text = t(`emails:sentence.${key}`, {
    receiver,
    took: took === undefined ? '' : duration(took, localeOf(i18n.language)),
    reason: category === undefined ? '' : t(`emails:reason.${category}.short`),
  });
  return (
    <p>
      {text}
      {at === undefined ? null : (
        <>
          {' '}
          <Time at={at} form="exact" />
        </>
      )}
    </p>
  );

  function sentenceOfSeveral(): string {
    const { total = 0, ...groups } = counts ?? {};
    const parts = Object.entries(groups).map(([group, count]) => t(`emails:sentence.group.${group}`, { count }));
    const list = new Intl.ListFormat(localeOf(i18n.language)).format(parts);
    return t('emails:sentence.several', { count: total, list });
  }
}
