import { ActionIcon, Skeleton, Stack, Tabs, Tooltip } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ImageOff, Image as ImageIcon, Monitor, Moon, Paperclip, Smartphone, Sun } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CopyButton } from '../../parts/copy-button';
import { ErrorState } from '../../parts/states';
import { Attachments } from './attachments';
import styles from './email-preview.module.css';
import { attachmentsQuery, previewQuery, sourceQuery, type Email } from './email-queries';
import { Headers } from './headers';
import { Insights } from './insights';
import tabs from '../../parts/part-tabs.module.css';

/** More of a source than this makes the page slow. The whole of it can be copied. */
const maxShown = 300_000;

/** What the email looks like, and what it is made of. */
export function EmailPreview({ email }: { readonly email: Email }) {
  const { t } = useTranslation();
  const [tab, setTab] = useState<string | null>(email.html === null ? 'text' : 'html');
  const attachments = useQuery(attachmentsQuery(email.id));
  const count = attachments.data?.data.length ?? 0;
  return (
    <Tabs value={tab} onChange={setTab} keepMounted={false} className={tabs.tabs} variant="none">
      <Tabs.List className={tabs.list} aria-label={t('emails:preview.parts')}>
        {email.html === null ? null : <Tab value="html" label={t('emails:preview.html')} />}
        <Tab value="text" label={t('emails:preview.text')} />
        {email.html === null ? null : <Tab value="markup" label={t('emails:preview.source')} />}
        <Tab value="raw" label={t('emails:preview.raw')} />
        <Tab value="headers" label={t('emails:preview.headers')} />
        <Tab value="insights" label={t('emails:insights.title')} />
        {count === 0 ? null : (
          <Tabs.Tab value="attachments" className={tabs.tab}>
            <Paperclip size={13} aria-hidden /> {t('emails:preview.attachments', { count })}
          </Tabs.Tab>
        )}
      </Tabs.List>
      <Tabs.Panel value="html" className={tabs.panel}>
        <HtmlPreview email={email} />
      </Tabs.Panel>
      <Tabs.Panel value="text" className={tabs.panel}>
        <Source text={email.text} label={t('emails:preview.text')} />
      </Tabs.Panel>
      <Tabs.Panel value="markup" className={tabs.panel}>
        <Source text={email.html} label={t('emails:preview.source')} />
      </Tabs.Panel>
      <Tabs.Panel value="raw" className={tabs.panel}>
        <RawSource emailId={email.id} />
      </Tabs.Panel>
      <Tabs.Panel value="headers" className={tabs.panel}>
        <Headers emailId={email.id} />
      </Tabs.Panel>
      <Tabs.Panel value="insights" className={tabs.panel}>
        <Insights emailId={email.id} />
      </Tabs.Panel>
      <Tabs.Panel value="attachments" className={tabs.panel}>
        <Attachments attachments={attachments.data?.data ?? []} />
      </Tabs.Panel>
    </Tabs>
  );
}

function Tab({ value, label }: { readonly value: string; readonly label: string }) {
  return (
    <Tabs.Tab value={value} className={tabs.tab}>
      {label}
    </Tabs.Tab>
  );
}

function HtmlPreview({ email }: { readonly email: Email }) {
  const { t } = useTranslation();
  const [isPhone, setPhone] = useState(false);
  const [isDark, setDark] = useState(false);
  const [withImages, setImages] = useState(false);
  const link = useQuery(previewQuery(email.id));
  if (link.error !== null) return <ErrorState error={link.error} retry={() => void link.refetch()} />;
  const tools = [
    { label: t('emails:preview.desktop'), icon: Monitor, on: !isPhone, run: () => setPhone(false) },
    { label: t('emails:preview.phone'), icon: Smartphone, on: isPhone, run: () => setPhone(true) },
    {
      label: t(isDark ? 'emails:preview.light' : 'emails:preview.dark'),
      icon: isDark ? Sun : Moon,
      on: isDark,
      run: () => setDark(!isDark),
    },
    {
      label: t(withImages ? 'emails:preview.imagesOff' : 'emails:preview.imagesOn'),
      icon: withImages ? ImageIcon : ImageOff,
      on: withImages,
      run: () => setImages(!withImages),
    },
  ];
  return (
    <Stack gap={0} pos="relative" flex={1} mih={0}>
      <div className={styles.tools} role="toolbar" aria-label={t('emails:preview.look')}>
        {tools.map(({ label, icon: Icon, on, run }) => (
          <Tooltip key={label} label={label}>
            <ActionIcon
              aria-label={label}
              aria-pressed={on}
              data-on={on || undefined}
              className={styles.tool}
              onClick={run}
            >
              <Icon size={15} aria-hidden />
            </ActionIcon>
          </Tooltip>
        ))}
      </div>
      <div className={styles.stage}>
        {link.data === undefined ? (
          <Skeleton height="100%" />
        ) : (
          <iframe
            // Another document for another choice: the policy of a document cannot be changed.
            key={String(withImages)}
            className={styles.frame}
            data-phone={isPhone || undefined}
            data-dark={isDark || undefined}
            title={t('emails:preview.frame')}
            sandbox="allow-popups allow-popups-to-escape-sandbox"
            src={frameAddress(link.data.url, withImages)}
          />
        )}
      </div>
    </Stack>
  );
}

/** On this origin, whatever the public address of the service is: the page may frame nothing else. */
function frameAddress(url: string, withImages: boolean): string {
  const { pathname, search } = new URL(url);
  return `${pathname}${search}${withImages ? '&images=remote' : ''}`;
}

function RawSource({ emailId }: { readonly emailId: string }) {
  const { t } = useTranslation();
  const raw = useQuery(sourceQuery(emailId));
  if (raw.error !== null) return <ErrorState error={raw.error} retry={() => void raw.refetch()} />;
  if (raw.data === undefined) return null;
  return <Source text={raw.data.source} label={t('emails:preview.raw')} />;
}

function Source({ text, label }: { readonly text: string | null; readonly label: string }) {
  const { t } = useTranslation();
  if (text === null || text === '') return <p className={styles.none}>{t('emails:preview.none')}</p>;
  return (
    <div className={styles.source}>
      <span className={styles.copy}>
        <CopyButton value={text} label={t('common:copy')} />
      </span>
      <pre className={styles.code} tabIndex={0} aria-label={label}>
        {text.slice(0, maxShown)}
      </pre>
    </div>
  );
}
