import { Flex } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { LayoutTemplate } from 'lucide-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, api, type Schema } from '../../api/client';
import type { Column } from '../../list/column';
import { List } from '../../list/list';
import { usePages } from '../../list/use-pages';
import { CodeBlock } from '../../parts/code-block';
import section from '../../parts/layout.module.css';
import { useAdding } from '../../parts/use-adding';
import { Page } from '../../parts/page';
import { EmptyState } from '../../parts/states';
import { Time } from '../../parts/time';
import { NewTemplate } from './new-template';
import { TemplatesTabs } from './templates-tabs';
import { TemplateState } from './template-state';

type Template = Schema<'TemplateSummaryResponse'>;

export function TemplatesPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const adding = useAdding('templates:write', t('templates:add'));
  const rows = usePages<Template>(['templates'], ({ limit, after, signal }) =>
    answer(api.GET('/templates', { params: { query: { limit, after } }, signal })),
  );
  const columns = useMemo(
    (): Column<Template>[] => [
      { id: 'name', label: t('templates:name'), width: 'minmax(200px, 3fr)', cell: ({ name: shown }) => shown },
      {
        id: 'state',
        label: t('templates:state'),
        width: '150px',
        cell: ({ status }) => <TemplateState state={status} />,
      },
      {
        id: 'alias',
        label: t('templates:alias'),
        width: 'minmax(140px, 2fr)',
        cell: ({ alias }) => (alias === null ? <span className="quiet">–</span> : <code>{alias}</code>),
      },
      {
        id: 'changed',
        label: t('templates:changed'),
        width: '120px',
        align: 'end',
        cell: ({ updated_at: at }) => <Time at={at} form="short" />,
      },
    ],
    [t],
  );
  return (
    <Page title={t('templates:title')} actions={adding.button}>
      <TemplatesTabs />
      <List
        label={t('templates:title')}
        rows={rows}
        columns={columns}
        compact={(template) => (
          <Flex component="span" direction="column" gap={2} miw={0}>
            <span className="cut">{template.name}</span>
            <span className={section.line}>
              <span className="quiet cut">{template.alias ?? ''}</span>
              <TemplateState state={template.status} plain />
            </span>
          </Flex>
        )}
        hrefOf={({ id }) => `/app/templates/${id}`}
        open={({ id }) => void navigate({ to: `/app/templates/${id}` })}
        empty={
          <EmptyState icon={LayoutTemplate} title={t('templates:empty')} text={t('templates:emptyText')}>
            {adding.button}
            <CodeBlock code={sample} label={t('templates:sample')} />
          </EmptyState>
        }
      />
      <NewTemplate opened={adding.opened} close={adding.close} />
    </Page>
  );
}

const sample = `"template": { "id": "order-shipped", "variables": { "NAME": "Ada" } }`;
