import { TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, api, type Schema } from '../../api/client';
import { jsonOrText } from '../../logic/parsed-json';
import { previewHtml, type PreviewMode } from '../../logic/preview-html';
import { HtmlFrame } from '../../parts/html-frame';
import { PreviewModes } from '../../parts/preview-modes';
import { ErrorState } from '../../parts/states';
import composer from '../../parts/composer.module.css';

type Template = Schema<'TemplateResponse'>;

interface TemplatePreviewProps {
  readonly template: Template;
  /** Whether the server has what is in the editor. */
  readonly isCurrent: boolean;
}

/** What an email would be, with values that can be tried. */
export function TemplatePreview({ template, isCurrent }: TemplatePreviewProps) {
  const { t } = useTranslation();
  const [view, setView] = useState<PreviewMode>('desktop');
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [tried] = useDebouncedValue(values, 300);
  const preview = useQuery({
    queryKey: ['template', template.id, 'preview', template.updated_at, tried],
    queryFn: () =>
      answer(
        api.POST('/templates/{idOrAlias}/preview', {
          params: { path: { idOrAlias: template.id } },
          body: { variables: variablesOf(template, tried) } as never,
        }),
      ),
    placeholderData: keepPreviousData,
  });
  const { data } = preview;
  return (
    <section className={composer.preview} aria-label={t('templates:preview')} data-stale={!isCurrent || undefined}>
      <div className={composer.previewHead}>
        <span className={composer.previewSubject}>{data?.subject ?? ''}</span>
        <PreviewModes mode={view} setMode={setView} />
      </div>
      {template.variables.length === 0 ? null : (
        <div className={composer.values}>
          {template.variables.map(({ key }) => (
            <TextInput
              key={key}
              label={key}
              value={values[key] ?? ''}
              placeholder={
                data?.missing_variables.includes(key) === true ? t('templates:missing') : t('templates:fallback')
              }
              onChange={(event) => setValues({ ...values, [key]: event.currentTarget.value })}
            />
          ))}
        </div>
      )}
      {preview.error !== null ? (
        <ErrorState error={preview.error} retry={() => void preview.refetch()} />
      ) : data === undefined ? null : view === 'text' ? (
        <pre className={composer.plain} tabIndex={0} aria-label={t('templates:views.text')}>
          {data.text ?? t('templates:textFromHtml')}
        </pre>
      ) : (
        <div className={composer.stage}>
          <HtmlFrame
            title={t('templates:preview')}
            html={previewHtml(data.html, view)}
            phone={view === 'phone'}
            dark={view === 'dark'}
          />
        </div>
      )}
    </section>
  );
}

function variablesOf(template: Template, values: Readonly<Record<string, string>>): Record<string, unknown> {
  const given = template.variables.filter(({ key }) => (values[key] ?? '') !== '');
  return Object.fromEntries(
    given.map(({ key, type }) => [key, type === 'string' ? values[key] : jsonOrText(values[key] ?? '')]),
  );
}
