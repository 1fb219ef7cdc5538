import { TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, api, type Schema } from '../../api/client';
import { jsonOrText } from '../../logic/parsed-json';
import { PreviewPane } from '../../parts/preview-pane';
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
    <PreviewPane
      label={t('templates:preview')}
      email={data}
      error={preview.error}
      retry={() => void preview.refetch()}
      isStale={!isCurrent}
    >
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
    </PreviewPane>
  );
}

/** The values that were given, as their variables want them. */
export function variablesOf(
  template: Pick<Template, 'variables'>,
  values: Readonly<Record<string, string>>,
): Record<string, unknown> {
  const given = template.variables.filter(({ key }) => (values[key] ?? '') !== '');
  return Object.fromEntries(
    given.map(({ key, type }) => [key, type === 'string' ? values[key] : jsonOrText(values[key] ?? '')]),
  );
}
