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

/** What was not checked is null or absent. */
interface Verdicts {
  readonly spf?: { readonly result: string; readonly domain?: string | null } | null;
  readonly dkim?:
    readonly { readonly result: string; readonly domain?: string | null; readonly selector?: string | null }[] | null;
  readonly dmarc?: { readonly result: string; readonly domain?: string | null; readonly policy?: string | null } | null;
  readonly arc?: { readonly result: string } | null;
  readonly fcrdns?: { readonly result: string; readonly name?: string | null } | null;
  readonly spam?: {
    readonly score?: number | null;
    readonly required_score?: number | null;
    readonly is_spam?: boolean;
  } | null;
  readonly virus?: { readonly result: string; readonly name?: string | null } | null;
}

/** What was found out about a message, each with its evidence. */
export function VerdictsPanel({ email }: { readonly email: Schema<'ReceivedEmailResponse'> }) {
  const { t } = useTranslation();
  const { spf, dkim, dmarc, arc, fcrdns, spam, virus } = email.verdicts as Verdicts;
  const rows: (readonly [string, React.ReactNode])[] = [];
  const add = (name: string, result: string | undefined, evidence: string | null | undefined): void => {
    if (result === undefined) return;
    rows.push([name, <Verdict key={name} result={result} evidence={evidence ?? undefined} />]);
  };
  add('DMARC', dmarc?.result, joined(dmarc?.domain, dmarc?.policy == null ? undefined : `p=${dmarc.policy}`));
  add('SPF', spf?.result, spf?.domain);
  for (const [index, one] of (dkim ?? []).entries()) {
    add((dkim?.length ?? 0) > 1 ? `DKIM ${index + 1}` : 'DKIM', one.result, joined(one.domain, one.selector));
  }
  if (arc != null && arc.result !== 'none') add('ARC', arc.result, undefined);
  add(t('received:verdict.reverse'), fcrdns?.result, fcrdns?.name);
  if (spam != null) {
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

function joined(first: string | null | undefined, second: string | null | undefined, by = ' · '): string | undefined {
  return [first, second].filter((part) => part != null && part !== '').join(by) || undefined;
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
