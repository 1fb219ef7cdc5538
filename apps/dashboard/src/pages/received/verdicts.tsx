import { CircleCheck, CircleHelp, CircleX, TriangleAlert } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Schema } from '../../api/client';
import { Facts, Panel } from '../../parts/panel';
import { StatusBadge, type Tone } from '../../parts/status-badge';

type Summary = Schema<'ReceivedEmailSummaryResponse'>;

/** In one word whether the sender is who the message says. */
export function AuthenticationState({ email }: { readonly email: Summary }) {
  const { t } = useTranslation();
  const result = email.authentication?.dmarc ?? 'unknown';
  if (result === 'pass') {
    return <StatusBadge tone="good" icon={CircleCheck} label={t('received:verdict.proven')} plain />;
  }
  if (result === 'fail') return <StatusBadge tone="bad" icon={CircleX} label={t('received:verdict.false')} plain />;
  return <StatusBadge tone="flat" icon={CircleHelp} label={t('received:verdict.unproven')} plain />;
}

interface Verdicts {
  readonly spf?: { readonly result: string; readonly domain?: string };
  readonly dkim?: readonly { readonly result: string; readonly domain?: string; readonly selector?: string }[];
  readonly dmarc?: { readonly result: string; readonly domain?: string; readonly policy?: string };
  readonly arc?: { readonly result: string };
  readonly fcrdns?: { readonly result: string; readonly name?: string };
  readonly spam?: { readonly score?: number; readonly required_score?: number; readonly is_spam?: boolean };
  readonly virus?: { readonly result: string; readonly name?: string };
}

/** What was found out about a message, each with its evidence. */
export function VerdictsPanel({ email }: { readonly email: Schema<'ReceivedEmailResponse'> }) {
  const { t } = useTranslation();
  const { spf, dkim, dmarc, arc, fcrdns, spam, virus } = email.verdicts as Verdicts;
  const rows: (readonly [string, React.ReactNode])[] = [];
  const add = (name: string, result: string | undefined, evidence: string | undefined): void => {
    if (result === undefined) return;
    rows.push([name, <Verdict key={name} result={result} evidence={evidence} />]);
  };
  add('DMARC', dmarc?.result, joined(dmarc?.domain, dmarc?.policy === undefined ? undefined : `p=${dmarc.policy}`));
  add('SPF', spf?.result, spf?.domain);
  for (const [index, one] of (dkim ?? []).entries()) {
    add((dkim?.length ?? 0) > 1 ? `DKIM ${index + 1}` : 'DKIM', one.result, joined(one.domain, one.selector));
  }
  if (arc !== undefined && arc.result !== 'none') add('ARC', arc.result, undefined);
  add(t('received:verdict.reverse'), fcrdns?.result, fcrdns?.name);
  if (spam !== undefined) {
    const score = joined(spam.score?.toString(), spam.required_score?.toString(), ' / ');
    add(t('received:verdict.spam'), spam.is_spam === true ? 'spam' : 'no_spam', score);
  }
  add(t('received:verdict.virus'), virus?.result, virus?.name);
  return (
    <Panel title={t('received:verdict.title')} text={t('received:verdict.text')}>
      {rows.length === 0 ? <p className="quiet">{t('received:verdict.none')}</p> : <Facts items={rows} />}
    </Panel>
  );
}

function joined(first: string | undefined, second: string | undefined, by = ' · '): string | undefined {
  return [first, second].filter((part) => part !== undefined && part !== '').join(by) || undefined;
}

const looks: Readonly<Record<string, readonly [Tone, typeof CircleCheck]>> = {
  pass: ['good', CircleCheck],
  clean: ['good', CircleCheck],
  no_spam: ['good', CircleCheck],
  fail: ['bad', CircleX],
  infected: ['bad', CircleX],
  spam: ['bad', TriangleAlert],
};

function Verdict({ result, evidence }: { readonly result: string; readonly evidence: string | undefined }) {
  const { t, i18n } = useTranslation();
  const [tone, icon] = looks[result] ?? (['flat', CircleHelp] as const);
  const key = `received:verdict.result.${result}`;
  return (
    <>
      <StatusBadge tone={tone} icon={icon} label={i18n.exists(key) ? t(key) : result} />
      {evidence === undefined ? null : <code className="quiet">{evidence}</code>}
    </>
  );
}
