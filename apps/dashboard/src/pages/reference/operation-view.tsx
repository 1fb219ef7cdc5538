import { Box, Button, Flex, Stack } from '@mantine/core';
import { ArrowLeft } from 'lucide-react';
import { Fragment, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { typeOf, type ApiDocument, type Example, type Field, type Operation } from '../../logic/open-api';
import { CodeBlock } from '../../parts/code-block';
import { Panel } from '../../parts/panel';
import { HttpStatus } from '../../parts/http-status';
import styles from './reference.module.css';
import { TryIt } from './try-it';

interface OperationViewProps {
  readonly document: ApiDocument;
  readonly operation: Operation;
  readonly close: () => void;
}

export function OperationView({ document, operation, close }: OperationViewProps) {
  const { t } = useTranslation();
  const { method, path, summary, description, parameters, body, responses } = operation;
  return (
    <article className={styles.operation} aria-label={summary} tabIndex={0}>
      <Flex component="header" direction="column" gap={8} maw={760}>
        <Button
          variant="subtle"
          color="gray"
          className={styles.back}
          leftSection={<ArrowLeft size={14} aria-hidden />}
          onClick={close}
        >
          {t('common:back')}
        </Button>
        <h2 className={styles.title}>{summary}</h2>
        <p className={styles.path}>
          <span className={styles.method} data-method={method}>
            {method}
          </span>
          <code>{path}</code>
        </p>
        <p className={styles.description}>{marked(description)}</p>
      </Flex>
      <div className={styles.columns}>
        <Stack gap={16} miw={0}>
          {parameters.length === 0 ? null : (
            <Panel title={t('reference:parameters')}>
              {parameters.map((parameter) => (
                <FieldItem
                  key={`${parameter.in} ${parameter.name}`}
                  field={{
                    name: parameter.name,
                    type: `${t(`reference:in.${parameter.in}`)}, ${typeOf(document, parameter.schema)}`,
                    required: parameter.required ?? false,
                    description: parameter.description ?? '',
                    fields: [],
                  }}
                />
              ))}
            </Panel>
          )}
          {body === undefined ? null : (
            <Panel title={t('reference:body')}>
              {body.fields.map((field) => (
                <FieldItem key={field.name} field={field} />
              ))}
            </Panel>
          )}
          {responses.map(({ status, description: text, fields, examples }) => (
            <Panel key={status} title={`${status} · ${text}`} aside={<HttpStatus status={Number(status)} plain />}>
              {fields.length === 0 && examples.length === 0 ? undefined : (
                <details open={status.startsWith('2')}>
                  <summary className={styles.summary}>{t('reference:details')}</summary>
                  {status.startsWith('2')
                    ? fields.map((field) => <FieldItem key={field.name} field={field} />)
                    : examples.map((example) => (
                        <p key={example.label} className={styles.fieldText}>
                          <code>{(example.value as { name?: string }).name}</code>{' '}
                          {(example.value as { message?: string }).message}
                        </p>
                      ))}
                </details>
              )}
            </Panel>
          ))}
        </Stack>
        <Stack gap={16} miw={0}>
          <TryIt operation={operation} />
          <Examples title={t('reference:response')} examples={responses[0]?.examples ?? []} />
        </Stack>
      </div>
    </article>
  );
}

function Examples({ title, examples }: { readonly title: string; readonly examples: readonly Example[] }) {
  const [first] = examples;
  if (first === undefined) return null;
  const { value } = first;
  return (
    <Panel title={title}>
      <CodeBlock code={typeof value === 'string' ? value : JSON.stringify(value, null, 2)} label={title} />
    </Panel>
  );
}

function FieldItem({ field }: { readonly field: Field }) {
  const { t } = useTranslation();
  const { name, type, required, description, fields } = field;
  return (
    <div className={styles.field}>
      <div className={styles.fieldHead}>
        <code>{name}</code>
        <span className={styles.type}>{type}</span>
        {required ? (
          <Box component="span" c="var(--bad)" fz={12}>
            {t('reference:required')}
          </Box>
        ) : null}
      </div>
      {description === '' ? null : <p className={styles.fieldText}>{marked(description)}</p>}
      {fields.length === 0 ? null : (
        <details>
          <summary className={styles.summary}>{t('reference:fields', { count: fields.length })}</summary>
          <div className={styles.nested}>
            {fields.map((nested) => (
              <FieldItem key={nested.name} field={nested} />
            ))}
          </div>
        </details>
      )}
    </div>
  );
}

/** The descriptions use code marks and nothing else of Markdown. */
function marked(text: string): ReactNode {
  return text
    .split('`')
    .map((part, index) => <Fragment key={index}>{index % 2 === 1 ? <code>{part}</code> : part}</Fragment>);
}
