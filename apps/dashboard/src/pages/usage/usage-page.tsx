import { Box, Flex, Progress } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { answer, api, type Schema } from '../../api/client';
import { Page } from '../../parts/page';
import { Facts, Panel, Stack } from '../../parts/panel';
import { ErrorState } from '../../parts/states';
import { Time } from '../../parts/time';

export function UsagePage() {
  const { t, i18n } = useTranslation();
  const usage = useQuery({
    queryKey: ['usage'],
    queryFn: () => answer(api.GET('/usage')),
    refetchInterval: 15_000,
  });
  if (usage.error !== null) {
    return (
      <Page title={t('usage:title')}>
        <ErrorState error={usage.error} retry={() => void usage.refetch()} />
      </Page>
    );
  }
  const number = new Intl.NumberFormat(i18n.language);
  const { data } = usage;
  return (
    <Page title={t('usage:title')} scroll>
      {data === undefined ? null : (
        <Stack>
          <Panel title={t('usage:emails')} text={t('usage:emailsText')}>
            <Flex direction="column" gap={18}>
              <Period label={t('usage:today')} period={data.emails.daily} />
              <Period label={t('usage:month')} period={data.emails.monthly} />
            </Flex>
          </Panel>
          <Panel title={t('usage:others')}>
            <Flex direction="column" gap={18}>
              <Meter label={t('usage:domains')} used={data.domains.used} limit={data.domains.limit} />
              <Meter label={t('usage:contacts')} used={data.contacts.used} limit={data.contacts.limit} />
              <Meter label={t('usage:segments')} used={data.segments.used} limit={data.segments.limit} />
            </Flex>
          </Panel>
          <Panel title={t('usage:limits')} text={t('usage:limitsText')}>
            <Facts
              items={[
                [t('usage:rate'), t('usage:perSecond', { count: number.format(data.rate_limit.limit) as never })],
                [t('usage:recipients'), '50'],
                [t('usage:size'), '40 MB'],
                [t('usage:batch'), '100'],
              ]}
            />
          </Panel>
        </Stack>
      )}
    </Page>
  );
}

function Period({ label, period }: { readonly label: string; readonly period: Schema<'EmailPeriodResponse'> }) {
  const { t } = useTranslation();
  return (
    <Meter label={label} used={period.used} limit={period.limit}>
      {t('usage:resets')} <Time at={period.resets_at} />
    </Meter>
  );
}

interface MeterProps {
  readonly label: string;
  readonly used: number;
  readonly limit: number | null;
  readonly children?: React.ReactNode;
}

const maxNumber = 2 ** 31 - 1;

/** How much of a limit is used. Without a limit only the number. */
function Meter({ label, used, limit: most, children }: MeterProps) {
  // The largest number that clients read stands for no limit.
  const limit = most === null || most >= maxNumber ? null : most;
  const { t, i18n } = useTranslation();
  const number = new Intl.NumberFormat(i18n.language);
  const share = limit === null || limit === 0 ? 0 : Math.min(1, used / limit);
  const color = share >= 1 ? 'var(--bad-bar)' : share >= 0.8 ? 'var(--wait-bar)' : 'var(--accent)';
  return (
    <Flex direction="column" gap={6}>
      <Flex gap={16} justify="space-between">
        <span>{label}</span>
        <span className="tabular">
          <strong>{number.format(used)}</strong>{' '}
          <span className="quiet">{limit === null ? t('usage:noLimit') : `/ ${number.format(limit)}`}</span>
        </span>
      </Flex>
      {limit === null ? null : <Progress value={share * 100} color={color} size={6} radius={3} aria-label={label} />}
      {children === undefined ? null : (
        <Box component="p" c="var(--text-3)" fz={12}>
          {children}
        </Box>
      )}
    </Flex>
  );
}
