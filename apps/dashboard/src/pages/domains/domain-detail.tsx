import { ActionIcon, Button, Menu, Tabs } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Download, EllipsisVertical, KeyRound, RefreshCw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, api } from '../../api/client';
import { useLive } from '../../api/live';
import { useMay } from '../../api/session';
import { DetailPane } from '../../detail/detail-pane';
import { useFilters } from '../../list/filters';
import { zoneFile } from '../../logic/zone-file';
import { errorInstead } from '../../parts/error-instead';
import { download } from '../../parts/download';
import { usePathValues } from '../../parts/location';
import { say, sayError } from '../../parts/say';
import section from '../../parts/layout.module.css';
import tabs from '../../parts/part-tabs.module.css';
import { ErrorState } from '../../parts/states';
import { DeleteDomain } from './delete-domain';
import { DomainInsights } from './domain-insights';
import { DomainKeys } from './domain-keys';
import { DomainRecords, lacksHostName } from './domain-records';
import { DomainReports } from './domain-reports';
import { DomainSettings } from './domain-settings';
import { DomainState } from './domain-state';

/** While records are awaited, the state is read again this often. */
const lookAgainMs = 5_000;

export function DomainDetail() {
  const { domainId: id = '' } = usePathValues();
  const { t } = useTranslation();
  const navigate = useNavigate();
  const client = useQueryClient();
  const mayWrite = useMay('domains:write');
  const [deleting, setDeleting] = useState(false);
  const [{ view }, change] = useFilters(['view', 'days']);
  const mayInsights = useMay('metrics:read');
  const path = { params: { path: { id } } };
  const domain = useQuery({ queryKey: ['domain', id], queryFn: () => answer(api.GET('/domains/{id}', path)) });
  const diagnosis = useQuery({
    queryKey: ['domain', id, 'diagnosis'],
    queryFn: () => answer(api.GET('/domains/{id}/diagnosis', path)),
    refetchInterval: ({ state }) => (state.data?.status === 'verified' ? false : lookAgainMs),
  });
  const refresh = (): void => {
    void client.invalidateQueries({ queryKey: ['domain', id] });
    void client.invalidateQueries({ queryKey: ['domains'] });
  };
  useLive(({ data }) => {
    if (((data.events ?? []) as readonly string[]).some((type) => type.startsWith('domain.'))) refresh();
  });
  const verify = useMutation({
    mutationFn: () => answer(api.POST('/domains/{id}/verify', path)),
    onSuccess: () => {
      say(t('domains:verifying'));
      refresh();
    },
    onError: sayError,
  });
  const rotate = useMutation({
    mutationFn: () => answer(api.POST('/domains/{id}/dkim/rotate', path)),
    onSuccess: () => {
      say(t('domains:rotated'));
      refresh();
    },
    onError: sayError,
  });
  const close = (): void => void navigate({ to: '/app/domains' });
  const name = domain.data?.name ?? '';
  const offerZone = (): void => {
    const records = diagnosis.data?.records ?? [];
    download(zoneFile(name, records), `${name}.zone`, 'text/plain;charset=utf-8');
  };
  return (
    <DetailPane
      title={name === '' ? t('domains:one') : name}
      badge={domain.data === undefined ? undefined : <DomainState state={domain.data.state} />}
      close={close}
      actions={
        mayWrite ? (
          <>
            <Button
              variant="default"
              leftSection={<RefreshCw size={14} aria-hidden />}
              loading={verify.isPending}
              onClick={() => verify.mutate()}
            >
              {t('domains:verify')}
            </Button>
            <Menu position="bottom-end">
              <Menu.Target>
                <ActionIcon aria-label={t('domains:more')}>
                  <EllipsisVertical size={16} aria-hidden />
                </ActionIcon>
              </Menu.Target>
              <Menu.Dropdown>
                <Menu.Item
                  leftSection={<Download size={15} aria-hidden />}
                  disabled={diagnosis.data?.records.some(lacksHostName)}
                  onClick={offerZone}
                >
                  {t('domains:zone')}
                </Menu.Item>
                <Menu.Item leftSection={<KeyRound size={15} aria-hidden />} onClick={() => rotate.mutate()}>
                  {t('domains:rotate')}
                </Menu.Item>
                <Menu.Item color="red" leftSection={<Trash2 size={15} aria-hidden />} onClick={() => setDeleting(true)}>
                  {t('domains:delete.button')}
                </Menu.Item>
              </Menu.Dropdown>
            </Menu>
          </>
        ) : undefined
      }
    >
      {errorInstead(domain) === null ? (
        <Tabs
          value={view === 'insights' ? 'insights' : 'setup'}
          onChange={(value) => change({ view: value === 'insights' ? value : undefined, days: undefined })}
          keepMounted={false}
          className={tabs.tabs}
          variant="none"
        >
          {mayInsights ? (
            <Tabs.List className={tabs.list} aria-label={t('domains:views')}>
              <Tabs.Tab value="setup" className={tabs.tab}>
                {t('domains:setup')}
              </Tabs.Tab>
              <Tabs.Tab value="insights" className={tabs.tab}>
                {t('insights:title')}
              </Tabs.Tab>
            </Tabs.List>
          ) : null}
          <Tabs.Panel value="setup" className={tabs.panel}>
            <div className={section.scroll}>
              <DomainRecords
                diagnosis={diagnosis.data}
                certificate={domain.data?.tracking_certificate}
                error={diagnosis.error}
                download={offerZone}
              />
              {domain.data === undefined ? null : (
                <>
                  <DomainSettings
                    key={`${id} ${domain.data.tracking_subdomain ?? ''}`}
                    domain={domain.data}
                    diagnosis={diagnosis.data}
                    changed={refresh}
                    readOnly={!mayWrite}
                  />
                  <DomainKeys domainId={id} />
                  <DomainReports domainId={id} />
                </>
              )}
            </div>
          </Tabs.Panel>
          <Tabs.Panel value="insights" className={tabs.panel}>
            <div className={section.scroll} tabIndex={0} role="region" aria-label={t('insights:title')}>
              <DomainInsights key={id} domainId={id} mayLift={mayWrite} />
            </div>
          </Tabs.Panel>
        </Tabs>
      ) : (
        <ErrorState error={domain.error} retry={() => void domain.refetch()} />
      )}
      {domain.data === undefined ? null : (
        <DeleteDomain
          domain={domain.data}
          opened={deleting}
          close={() => setDeleting(false)}
          deleted={() => {
            refresh();
            close();
          }}
        />
      )}
    </DetailPane>
  );
}
