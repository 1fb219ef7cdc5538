import { Button, Select, Stack, Switch, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, api, type Schema } from '../../api/client';
import { Facts, Panel } from '../../parts/panel';
import { say, sayError } from '../../parts/say';
import section from '../../parts/layout.module.css';
import { Time } from '../../parts/time';
import { useRegions } from './use-regions';

interface DomainSettingsProps {
  readonly domain: Schema<'DomainResponse'>;
  /** With the settings that are not part of the domain itself. Undefined until it is there. */
  readonly diagnosis: Schema<'DiagnosisResponse'> | undefined;
  readonly changed: () => void;
  readonly readOnly: boolean;
}

type Changes = Schema<'UpdateDomainRequest'>;

/** Tracking, TLS and receiving. A switch takes effect at once. */
export function DomainSettings({ domain, diagnosis, changed, readOnly }: DomainSettingsProps) {
  const { t } = useTranslation();
  const [subdomain, setSubdomain] = useState(domain.tracking_subdomain ?? '');
  const change = useMutation({
    mutationFn: (body: Changes) => answer(api.PATCH('/domains/{id}', { params: { path: { id: domain.id } }, body })),
    onSuccess: () => {
      say(t('domains:settings.saved'));
      changed();
    },
    onError: (error) => {
      sayError(error);
      changed();
    },
  });
  const regions = useRegions();
  const tls = diagnosis?.tls;
  const disabled = readOnly || change.isPending;
  return (
    <Panel title={t('domains:settings.title')}>
      <Stack gap={12}>
        <Switch
          label={t('domains:settings.opens')}
          description={t('domains:settings.opensText')}
          checked={domain.open_tracking}
          disabled={disabled}
          onChange={(event) => change.mutate({ open_tracking: event.currentTarget.checked })}
        />
        <Switch
          label={t('domains:settings.clicks')}
          description={t('domains:settings.clicksText')}
          checked={domain.click_tracking}
          disabled={disabled}
          onChange={(event) => change.mutate({ click_tracking: event.currentTarget.checked })}
        />
        <form
          className={section.row}
          onSubmit={(event) => {
            event.preventDefault();
            change.mutate({ tracking_subdomain: subdomain.trim() });
          }}
        >
          <TextInput
            label={t('domains:settings.subdomain')}
            placeholder="links"
            value={subdomain}
            disabled={disabled}
            onChange={(event) => setSubdomain(event.currentTarget.value)}
            rightSectionWidth={130}
            rightSection={<span className="quiet cut">.{domain.name}</span>}
            w={320}
          />
          <Button
            type="submit"
            variant="default"
            mt={24}
            disabled={disabled || subdomain.trim() === '' || subdomain.trim() === domain.tracking_subdomain}
          >
            {t('common:save')}
          </Button>
        </form>
        <Select
          label={t('domains:settings.tls')}
          description={t('domains:settings.tlsText')}
          data={[
            { value: 'opportunistic', label: t('domains:settings.opportunistic') },
            { value: 'enforced', label: t('domains:settings.enforced') },
          ]}
          value={tls ?? null}
          disabled={disabled || tls === undefined}
          allowDeselect={false}
          onChange={(value) => value !== null && change.mutate({ tls: value })}
          w={320}
        />
        <Switch
          label={t('domains:settings.receiving')}
          checked={domain.capabilities.receiving === 'enabled'}
          disabled={disabled}
          onChange={(event) =>
            change.mutate({ capabilities: { receiving: event.currentTarget.checked ? 'enabled' : 'disabled' } })
          }
        />
        {regions.length === 0 ? null : (
          <>
            <Select
              label={t('domains:settings.region')}
              description={t('domains:settings.regionText')}
              data={regions.map(({ name }) => name)}
              value={domain.region}
              disabled={disabled}
              allowDeselect={false}
              onChange={(region) => region !== null && change.mutate({ region })}
              w={320}
            />
            <Switch
              label={t('domains:settings.failover')}
              description={
                diagnosis === undefined || diagnosis.sends_from === diagnosis.region
                  ? t('domains:settings.failoverText', { region: domain.region })
                  : t('domains:settings.standIn', { region: diagnosis.region, standIn: diagnosis.sends_from })
              }
              checked={diagnosis?.failover === true}
              disabled={disabled || diagnosis === undefined}
              onChange={(event) => change.mutate({ failover: event.currentTarget.checked })}
            />
          </>
        )}
        <Facts items={[[t('domains:column.added'), <Time key="added" at={domain.created_at} form="exact" />]]} />
      </Stack>
    </Panel>
  );
}
