import { Button, Flex } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, api, type Schema } from '../../api/client';
import { useLive } from '../../api/live';
import { shortPercent } from '../../logic/axis';
import { Confirm } from '../../parts/confirm';
import { Panel } from '../../parts/panel';
import { say } from '../../parts/say';
import { StatusBadge } from '../../parts/status-badge';
import { Time } from '../../parts/time';
import styles from './domain-insights.module.css';
import { GuardEvidence, stepLook } from './guard-evidence';
import { providerName } from './provider-name';

type State = Schema<'GuardStateResponse'>;

interface GuardPanelProps {
  readonly domainId: string;
  readonly mayLift: boolean;
  readonly days: number;
  /** In these days; undefined while it is not known. */
  readonly hasSent: boolean | undefined;
}

/** What the reputation guard slows, why, and how it came there. */
export function GuardPanel({ domainId, mayLift, days, hasSent }: GuardPanelProps) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [lifting, setLifting] = useState<string>();
  const params = { params: { path: { id: domainId } } };
  const guard = useQuery({
    queryKey: ['domain', domainId, 'guard'],
    queryFn: () => answer(api.GET('/domains/{id}/guard', params)),
    refetchInterval: 30_000,
  });
  const refresh = (): void => void client.invalidateQueries({ queryKey: ['domain', domainId, 'guard'] });
  useLive(({ data }) => {
    if (((data.events ?? []) as readonly string[]).includes('domain.reputation_changed')) refresh();
  });
  const { data } = guard;
  if (data === undefined) return null;
  return (
    <Panel
      title={t('insights:guard.title')}
      text={t(data.mode === 'on' ? 'insights:guard.text' : `insights:guard.mode.${data.mode}`)}
    >
      {data.data.length === 0 && hasSent === false ? (
        <p className="quiet">{t('insights:guard.unsent', { count: days })}</p>
      ) : data.data.length === 0 ? (
        <p className={styles.calm}>
          <ShieldCheck size={16} aria-hidden /> {t('insights:guard.calm')}
        </p>
      ) : (
        <ul className={styles.steps}>
          {data.data.map((state) => (
            <Step key={state.provider} state={state} mayLift={mayLift} lift={() => setLifting(state.provider)} />
          ))}
        </ul>
      )}
      <details className={styles.history}>
        <summary>{t('insights:guard.limits')}</summary>
        <Limits guard={data} />
      </details>
      <details className={styles.history}>
        <summary>{t('insights:guard.history')}</summary>
        <History domainId={domainId} />
      </details>
      <Confirm
        opened={lifting !== undefined}
        close={() => setLifting(undefined)}
        title={t('insights:guard.liftTitle', { provider: providerName(lifting ?? '', t) })}
        action={t('insights:guard.lift')}
        run={async () => {
          await answer(api.POST('/domains/{id}/guard/lift', { ...params, body: { provider: lifting ?? '' } }));
          say(t('insights:guard.lifted'));
          refresh();
        }}
      >
        {t('insights:guard.liftText')}
      </Confirm>
    </Panel>
  );
}

function Step({
  state,
  mayLift,
  lift,
}: {
  readonly state: State;
  readonly mayLift: boolean;
  readonly lift: () => void;
}) {
  const { t, i18n } = useTranslation();
  const { tone, icon } = stepLook(state.step);
  const count = new Intl.NumberFormat(i18n.language).format(state.messages_per_hour ?? 0);
  return (
    <li className={styles.step}>
      <Flex gap={12} align="center">
        <h3 className={styles.partTitle}>{providerName(state.provider, t)}</h3>
        <StatusBadge tone={tone} icon={icon} label={t(`insights:guard.step.${state.step}`)} />
      </Flex>
      <p className={styles.evidence}>
        {t(`insights:guard.effect.${state.step}`, { count: state.messages_per_hour ?? 0, number: count })}{' '}
        {t('insights:guard.since')} <Time at={state.since} />.
      </p>
      <GuardEvidence evidence={state} />
      {!mayLift ? null : state.may_lift ? (
        <Button variant="default" mt={8} onClick={lift}>
          {t('insights:guard.lift')}
        </Button>
      ) : (
        <p className="quiet">{t('insights:guard.locked')}</p>
      )}
    </li>
  );
}

function Limits({ guard }: { readonly guard: Schema<'DomainGuardResponse'> }) {
  const { t, i18n } = useTranslation();
  const percent = (value: number): string => shortPercent(value, i18n.language);
  return (
    <>
      <p className="quiet">{t('insights:guard.limitsText', { count: guard.min_volume })}</p>
      <div className={styles.dayTable} tabIndex={0} role="region" aria-label={t('insights:guard.limits')}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t('insights:guard.stepName')}</th>
              <th scope="col" data-align="end">
                {t('insights:rate.complaint_rate')}
              </th>
              <th scope="col" data-align="end">
                {t('insights:rate.bad_address_rate')}
              </th>
              <th scope="col" data-align="end">
                {t('insights:rate.spam_refusal_rate')}
              </th>
            </tr>
          </thead>
          <tbody>
            {guard.limits.map((limit) => (
              <tr key={limit.step}>
                <th scope="row">{t(`insights:guard.step.${limit.step}`)}</th>
                <td data-align="end">{percent(limit.complaint_rate)}</td>
                <td data-align="end">{percent(limit.bad_address_rate)}</td>
                <td data-align="end">{percent(limit.spam_refusal_rate)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

/** The newest changes. The API has all of them. */
function History({ domainId }: { readonly domainId: string }) {
  const { t } = useTranslation();
  const changes = useQuery({
    queryKey: ['domain', domainId, 'guard', 'changes'],
    queryFn: () =>
      answer(api.GET('/domains/{id}/guard/changes', { params: { path: { id: domainId }, query: { limit: 20 } } })),
  });
  if (changes.data === undefined) return null;
  if (changes.data.data.length === 0) return <p className="quiet">{t('insights:guard.noHistory')}</p>;
  return (
    <ul className={styles.steps}>
      {changes.data.data.map((change) => {
        const { tone, icon } = stepLook(change.step);
        return (
          <li key={change.id} className={styles.step}>
            <Flex gap={12} align="center">
              <span className={styles.partTitle}>
                {providerName(change.provider, t)} · <Time at={change.created_at} />
              </span>
              <StatusBadge tone={tone} icon={icon} label={t(`insights:guard.step.${change.step}`)} plain />
            </Flex>
            {change.because === 'evidence' ? (
              <GuardEvidence evidence={change} />
            ) : (
              <p className={styles.evidence}>{t(`insights:guard.because.${change.because}`)}</p>
            )}
          </li>
        );
      })}
    </ul>
  );
}
