import { Button, Select, Tabs, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { asApiError } from '../../api/error';
import {
  fieldOfRefusal,
  hasUnsubscribeLink,
  withUnsubscribeLink,
  type BroadcastField,
} from '../../logic/broadcast-draft';
import { Alert } from '../../parts/alert';
import { errorText } from '../../parts/error-text';
import { segmentsQuery, topicsQuery, useSegmentChoices } from '../audience/audience-queries';
import composer from '../../parts/composer.module.css';
import { SenderField } from '../../parts/sender-field';
import { BroadcastOptionsForm } from './broadcast-options';
import styles from './broadcasts.module.css';
import { useAudienceText, type Audience } from './use-audience';
import type { BroadcastValues } from './use-broadcast-draft';
import tabs from '../../parts/part-tabs.module.css';

interface BroadcastEditorProps {
  readonly values: BroadcastValues;
  readonly change: (changes: Partial<BroadcastValues>) => void;
  /** Why it could not be saved or sent. */
  readonly error: unknown;
  readonly readOnly: boolean;
  readonly audience: Audience;
  /** The settings and how it is sent, or its source. */
  readonly part: 'settings' | 'source';
  /** Of a source that is rendered from a document: writes it by hand from now on. */
  readonly writeByHand?: () => void;
  /** Above the source, such as the subject. */
  readonly head?: ReactNode;
}

export function BroadcastEditor(props: BroadcastEditorProps) {
  const { values, change, error, readOnly, audience, part: shownPart, writeByHand, head } = props;
  const { t } = useTranslation();
  const [tab, setTab] = useState<string | null>('html');
  const refused = refusalOf(error, values);
  const errorAt = (field: BroadcastField): ReactNode => (refused?.field === field ? refused.text : undefined);
  const [seen, setSeen] = useState<unknown>();
  // A refusal opens the part that it is about.
  if (error !== seen) {
    setSeen(error);
    if (refused?.field === 'html' || refused?.field === 'text') setTab(refused.field);
  }
  const field = (name: BroadcastField, key: keyof BroadcastValues, maxLength: number, placeholder?: string) => (
    <TextInput
      label={t(`broadcasts:field.${name}`)}
      value={values[key] as string}
      readOnly={readOnly}
      maxLength={maxLength}
      placeholder={placeholder}
      error={errorAt(name)}
      onChange={(event) => change({ [key]: event.currentTarget.value })}
    />
  );
  const tools = { values, change, readOnly };
  return (
    <section className={composer.editor} aria-label={t('broadcasts:editor')}>
      {shownPart === 'source' ? (
        head
      ) : (
        <div className={`${composer.fields} ${styles.fields}`}>
          {field('subject', 'subject', 998)}
          {field('preview_text', 'previewText', 998, t('broadcasts:previewTextText'))}
          <SenderField
            label={t('broadcasts:field.from')}
            value={values.from}
            readOnly={readOnly}
            error={errorAt('from')}
            change={(from) => change({ from })}
          />
          {field('reply_to', 'replyTo', 2000, t('broadcasts:replyToText'))}
          <Groups {...tools} errorAt={errorAt} audience={audience} />
          {field('name', 'name', 256)}
        </div>
      )}
      {shownPart === 'settings' || readOnly || writeByHand !== undefined || hasUnsubscribeLink(values) ? null : (
        <NoLink {...tools} />
      )}
      {error === undefined || refused?.field !== undefined ? null : (
        <div className={composer.refusal}>
          <Alert error={error} />
        </div>
      )}
      {shownPart === 'settings' ? (
        <>
          {refused?.field === 'options' ? <Refusal text={refused.text} /> : null}
          <BroadcastOptionsForm
            options={values.options}
            change={(options) => change({ options })}
            readOnly={readOnly}
          />
        </>
      ) : (
        <>
          {writeByHand === undefined || readOnly ? null : (
            <div className={composer.missing} role="status">
              <span>{t('editor:source.text')}</span>
              <Button variant="default" onClick={writeByHand}>
                {t('editor:source.edit')}
              </Button>
            </div>
          )}
          <Tabs value={tab} onChange={setTab} keepMounted={false} className={tabs.tabs} variant="none">
            <Tabs.List className={tabs.list} aria-label={t('broadcasts:parts')}>
              {(['html', 'text'] as const).map((part) => (
                <Tabs.Tab key={part} value={part} className={tabs.tab}>
                  {t(`broadcasts:part.${part}`)}
                </Tabs.Tab>
              ))}
            </Tabs.List>
            {(['html', 'text'] as const).map((part) => (
              <Tabs.Panel key={part} value={part} className={tabs.panel}>
                {refused?.field === part ? <Refusal text={refused.text} /> : null}
                <textarea
                  className={composer.code}
                  aria-label={t(`broadcasts:part.${part}`)}
                  aria-invalid={refused?.field === part || undefined}
                  placeholder={part === 'text' ? t('broadcasts:textFromHtml') : undefined}
                  value={values[part]}
                  readOnly={readOnly || writeByHand !== undefined}
                  spellCheck={part === 'text'}
                  onChange={(event) => change({ [part]: event.currentTarget.value })}
                />
              </Tabs.Panel>
            ))}
          </Tabs>
        </>
      )}
    </section>
  );
}

interface GroupsProps {
  readonly values: BroadcastValues;
  readonly change: BroadcastEditorProps['change'];
  readonly readOnly: boolean;
  readonly errorAt: (field: BroadcastField) => ReactNode;
  readonly audience: Audience;
}

/** Whom it is for, with their number. */
function Groups({ values, change, readOnly, errorAt, audience }: GroupsProps) {
  const { t } = useTranslation();
  const segments = useSegmentChoices(useQuery(segmentsQuery).data);
  const topics = useQuery(topicsQuery).data ?? [];
  const reached = useAudienceText(audience);
  const choice = (rows: readonly { id: string; name: string }[]) =>
    rows.map(({ id, name }) => ({ value: id, label: name }));
  return (
    <>
      <Select
        label={t('broadcasts:field.segment_id')}
        data={segments}
        value={values.segmentId}
        allowDeselect={false}
        searchable
        readOnly={readOnly}
        error={errorAt('segment_id')}
        description={reached}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        onChange={(segmentId) => change({ segmentId: segmentId ?? values.segmentId })}
      />
      <Select
        label={t('broadcasts:field.topic_id')}
        placeholder={t('broadcasts:noTopic')}
        data={choice(topics)}
        value={values.topicId}
        clearable={!readOnly}
        readOnly={readOnly}
        error={errorAt('topic_id')}
        description={t('broadcasts:topicText')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        clearButtonProps={{ 'aria-label': t('broadcasts:noTopic') }}
        onChange={(topicId) => change({ topicId })}
      />
    </>
  );
}

function NoLink({ values, change }: Pick<BroadcastEditorProps, 'values' | 'change'>) {
  const { t } = useTranslation();
  const add = (): void =>
    change(
      values.html === ''
        ? { text: `${values.text}\n\n${t('broadcasts:unsubscribe')}: {{{RESEND_UNSUBSCRIBE_URL}}}\n` }
        : { html: withUnsubscribeLink(values.html) },
    );
  return (
    <div className={composer.missing} role="status">
      <span>{t('broadcasts:noLink')}</span>
      <Button variant="default" onClick={add}>
        {t('broadcasts:addLink')}
      </Button>
    </div>
  );
}

function Refusal({ text }: { readonly text: string }) {
  return (
    <p className={styles.refused} role="alert">
      {text}
    </p>
  );
}

function refusalOf(error: unknown, values: BroadcastValues): { field?: BroadcastField; text: string } | undefined {
  if (error === undefined || error === null) return undefined;
  const { status, message } = asApiError(error);
  return { field: fieldOfRefusal(status, message, values), text: errorText(error).text };
}
