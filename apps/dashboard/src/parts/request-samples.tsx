import { Tabs } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { CodeSample } from '../logic/code-samples';
import { CodeBlock } from './code-block';
import styles from './request-samples.module.css';

/** The language that was looked at last, for the next request too. */
let chosen = 'curl';

/** One request in several languages. */
export function RequestSamples({ samples }: { readonly samples: readonly CodeSample[] }) {
  const { t } = useTranslation();
  return (
    <Tabs defaultValue={chosen} onChange={(id) => (chosen = id ?? chosen)} variant="none" keepMounted={false}>
      <Tabs.List className={styles.languages} aria-label={t('start:send.languages')}>
        {samples.map(({ id, label }) => (
          <Tabs.Tab key={id} value={id} className={styles.language}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {samples.map(({ id, label, code }) => (
        <Tabs.Panel key={id} value={id}>
          <CodeBlock code={code} label={label} />
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
