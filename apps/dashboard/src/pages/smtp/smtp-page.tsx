import { SegmentedControl, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, api } from '../../api/client';
import { useSession } from '../../api/session';
import { CodeBlock } from '../../parts/code-block';
import { CopyButton } from '../../parts/copy-button';
import { Page } from '../../parts/page';
import { Facts, Panel, Stack } from '../../parts/panel';
import section from '../../parts/layout.module.css';
import { snippets } from './snippets';
import styles from './smtp.module.css';

/** Settings for programs that send by SMTP. */
export function SmtpPage() {
  const { t } = useTranslation();
  const ports = useSession()?.installation.smtp_ports ?? [];
  const [chosenPort, setPort] = useState<number>();
  const { port, implicit_tls: implicitTls } = ports.find((one) => one.port === (chosenPort ?? 587)) ??
    ports.find((one) => !one.implicit_tls) ??
    ports[0] ?? { port: 587, implicit_tls: false };
  const startTlsPort = ports.find((one) => !one.implicit_tls)?.port;
  const [chosen, setChosen] = useState('nodemailer');
  const domains = useQuery({
    queryKey: ['domains', 'names'],
    queryFn: () => answer(api.GET('/domains', { params: { query: {} } })),
  });
  const verified = (domains.data?.data ?? []).find(({ status }) => status === 'verified');
  const from = `hello@${verified?.name ?? 'acme.com'}`;
  const host = location.hostname;
  const snippet = snippets.find(({ id }) => id === chosen) ?? snippets[0];
  const copied = (value: string, label: string) => (
    <span className={section.row} key={label}>
      <code>{value}</code>
      <CopyButton value={value} label={label} />
    </span>
  );
  return (
    <Page title={t('smtp:title')} scroll>
      <Stack>
        {ports.length === 0 ? <p role="status">{t('smtp:closed')}</p> : null}
        <Panel title={t('smtp:settings')} text={t('smtp:settingsText')}>
          <Facts
            items={[
              [t('smtp:host'), copied(host, t('smtp:copyHost'))],
              [
                t('smtp:port'),
                <SegmentedControl
                  key="port"
                  aria-label={t('smtp:port')}
                  value={String(port)}
                  onChange={(value) => setPort(Number(value))}
                  data={[...new Set(ports.map((one) => String(one.port)))]}
                />,
              ],
              [t('smtp:encryption'), implicitTls ? t('smtp:tls') : t('smtp:starttls')],
              [t('smtp:user'), copied('resend', t('smtp:copyUser'))],
              [
                t('smtp:password'),
                <span key="password">
                  {t('smtp:passwordText')}{' '}
                  <Link to="/app/api-keys" className={styles.link}>
                    {t('smtp:makeKey')}
                  </Link>
                </span>,
              ],
            ]}
          />
        </Panel>
        <Panel
          title={t('smtp:snippets')}
          text={t('smtp:snippetsText')}
          aside={
            <Select
              aria-label={t('smtp:framework')}
              data={snippets.map(({ id, name }) => ({ value: id, label: name }))}
              value={chosen}
              onChange={(id) => setChosen(id ?? 'nodemailer')}
              allowDeselect={false}
              w={200}
            />
          }
        >
          {snippet === undefined ? null : (
            <CodeBlock code={snippet.code({ host, port, implicitTls, startTlsPort, from })} label={snippet.name} />
          )}
        </Panel>
        <Panel title={t('smtp:headers.title')} text={t('smtp:headers.text')}>
          <Facts items={[['Resend-Idempotency-Key', t('smtp:headers.key'), true]]} />
        </Panel>
      </Stack>
    </Page>
  );
}
