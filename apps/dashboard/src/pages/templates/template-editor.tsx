import { ActionIcon, Button, Select, Tabs, TextInput } from '@mantine/core';
import { Plus, Trash2 } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { undefinedNames } from '../../logic/merge-tags';
import { Alert } from '../../parts/alert';
import composer from '../../parts/composer.module.css';
import { SenderField } from '../../parts/sender-field';
import type { DraftValues, Variable } from './use-draft';
import tabs from '../../parts/part-tabs.module.css';

interface TemplateEditorProps {
  readonly values: DraftValues;
  readonly change: (changes: Partial<DraftValues>) => void;
  readonly error: unknown;
  readonly readOnly: boolean;
  /** The settings with the variables, or the source. */
  readonly part: 'settings' | 'source';
  /** Of a source that is rendered from a document: writes it by hand from now on. */
  readonly writeByHand?: () => void;
  /** Above the source, such as the subject. */
  readonly head?: ReactNode;
}

export function TemplateEditor({ values, change, error, readOnly, part, writeByHand, head }: TemplateEditorProps) {
  const { t } = useTranslation();
  const [tab, setTab] = useState<string | null>('html');
  const missing = undefinedNames(
    [values.html, values.text, values.subject],
    values.variables.map(({ key }) => key),
  );
  const define = (): void =>
    change({
      variables: [...values.variables, ...missing.map((key): Variable => ({ key, type: 'string', fallback: '' }))],
    });
  return (
    <section className={composer.editor} aria-label={t('templates:editor')}>
      {part === 'source' ? (
        head
      ) : (
        <div className={composer.fields}>
          <TextInput
            label={t('templates:subject')}
            value={values.subject}
            readOnly={readOnly}
            onChange={(event) => change({ subject: event.currentTarget.value })}
          />
          <SenderField
            label={t('templates:from')}
            placeholder="Acme <hello@acme.com>"
            value={values.from}
            readOnly={readOnly}
            change={(from) => change({ from })}
          />
          <TextInput
            label={t('templates:name')}
            value={values.name}
            readOnly={readOnly}
            maxLength={255}
            onChange={(event) => change({ name: event.currentTarget.value })}
          />
          <TextInput
            label={t('templates:alias')}
            placeholder="order-shipped"
            value={values.alias}
            readOnly={readOnly}
            spellCheck={false}
            onChange={(event) => change({ alias: event.currentTarget.value })}
          />
        </div>
      )}
      {readOnly || missing.length === 0 ? null : (
        <div className={composer.missing} role="status">
          <span>{t('templates:undefined', { names: missing.join(', '), count: missing.length })}</span>
          <Button variant="default" onClick={define}>
            {t('templates:define', { count: missing.length })}
          </Button>
        </div>
      )}
      {error === undefined || missing.length > 0 ? null : (
        <div className={composer.refusal}>
          <Alert error={error} />
        </div>
      )}
      {part === 'settings' ? (
        <Variables variables={values.variables} change={change} readOnly={readOnly} />
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
            <Tabs.List className={tabs.list} aria-label={t('templates:parts')}>
              <Tabs.Tab value="html" className={tabs.tab}>
                HTML
              </Tabs.Tab>
              <Tabs.Tab value="text" className={tabs.tab}>
                {t('templates:text')}
              </Tabs.Tab>
            </Tabs.List>
            {(['html', 'text'] as const).map((name) => (
              <Tabs.Panel key={name} value={name} className={tabs.panel}>
                <textarea
                  className={composer.code}
                  aria-label={name === 'html' ? 'HTML' : t('templates:text')}
                  placeholder={name === 'text' ? t('templates:textFromHtml') : undefined}
                  value={values[name]}
                  readOnly={readOnly || writeByHand !== undefined}
                  spellCheck={name === 'text'}
                  onChange={(event) => change({ [name]: event.currentTarget.value })}
                />
              </Tabs.Panel>
            ))}
          </Tabs>
        </>
      )}
    </section>
  );
}

const types: readonly Variable['type'][] = ['string', 'number', 'boolean', 'object', 'list'];

interface VariablesProps {
  readonly variables: readonly Variable[];
  readonly change: TemplateEditorProps['change'];
  readonly readOnly: boolean;
}

function Variables({ variables, change, readOnly }: VariablesProps) {
  const { t } = useTranslation();
  const put = (index: number, variable: Variable | undefined): void =>
    change({
      variables: variables.flatMap((known, at) =>
        at === index ? (variable === undefined ? [] : [variable]) : [known],
      ),
    });
  return (
    <div className={composer.variables}>
      <p className="quiet">{t('templates:variablesText', { tag: '{{{NAME}}}' })}</p>
      {variables.map((variable, index) => (
        <div key={index} className={composer.variable}>
          <TextInput
            aria-label={t('templates:variableKey')}
            placeholder="NAME"
            value={variable.key}
            readOnly={readOnly}
            maxLength={50}
            spellCheck={false}
            onChange={(event) => put(index, { ...variable, key: event.currentTarget.value })}
          />
          <Select
            aria-label={t('templates:variableType')}
            data={types.map((type) => ({ value: type, label: t(`templates:type.${type}`) }))}
            value={variable.type}
            allowDeselect={false}
            readOnly={readOnly}
            onChange={(type) => put(index, { ...variable, type: type ?? 'string' })}
          />
          <TextInput
            aria-label={t('templates:variableFallback')}
            placeholder={t('templates:noFallback')}
            value={variable.fallback}
            readOnly={readOnly}
            onChange={(event) => put(index, { ...variable, fallback: event.currentTarget.value })}
          />
          {readOnly ? null : (
            <ActionIcon
              aria-label={t('templates:removeVariable', { name: variable.key })}
              onClick={() => put(index, undefined)}
            >
              <Trash2 size={15} aria-hidden />
            </ActionIcon>
          )}
        </div>
      ))}
      {readOnly ? null : (
        <div>
          <Button
            variant="default"
            leftSection={<Plus size={14} aria-hidden />}
            onClick={() => change({ variables: [...variables, { key: '', type: 'string', fallback: '' }] })}
          >
            {t('templates:addVariable')}
          </Button>
        </div>
      )}
    </div>
  );
}
