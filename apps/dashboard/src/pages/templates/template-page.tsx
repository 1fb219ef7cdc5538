import { ActionIcon, Button, Menu } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Copy, EllipsisVertical, Send, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, api } from '../../api/client';
import { useMay } from '../../api/session';
import { Confirm } from '../../parts/confirm';
import { usePathValues } from '../../parts/location';
import { Page } from '../../parts/page';
import { say, sayError } from '../../parts/say';
import { ErrorState } from '../../parts/states';
import { TemplateEditor } from './template-editor';
import composer from '../../parts/composer.module.css';
import { TemplatePreview } from './template-preview';
import { TemplateState } from './template-state';
import { useDraft } from './use-draft';

/** A template that is written: the source at the left, what an email would be at the right. */
export function TemplatePage() {
  const { templateId = '' } = usePathValues();
  const { t } = useTranslation();
  const navigate = useNavigate();
  const client = useQueryClient();
  const mayWrite = useMay('templates:write');
  const [asking, setAsking] = useState(false);
  const path = { params: { path: { idOrAlias: templateId } } };
  const queryKey = ['template', templateId];
  const template = useQuery({
    queryKey,
    queryFn: () => answer(api.GET('/templates/{idOrAlias}', path)),
    refetchOnWindowFocus: false,
  });
  const { data } = template;
  const draft = useDraft(data, async () => {
    await client.invalidateQueries({ queryKey });
    void client.invalidateQueries({ queryKey: ['templates'] });
  });
  if (template.error !== null) {
    return (
      <Page title={t('templates:one')}>
        <ErrorState error={template.error} retry={() => void template.refetch()} />
      </Page>
    );
  }
  const publish = async (): Promise<void> => {
    await draft.saved();
    await answer(api.POST('/templates/{idOrAlias}/publish', path));
    await client.invalidateQueries({ queryKey });
    void client.invalidateQueries({ queryKey: ['templates'] });
    say(t('templates:published'));
  };
  const duplicate = async (): Promise<void> => {
    const { id } = await answer(api.POST('/templates/{idOrAlias}/duplicate', path));
    void client.invalidateQueries({ queryKey: ['templates'] });
    await navigate({ to: `/app/templates/${id}` });
  };
  const canPublish =
    data !== undefined && (data.status === 'draft' || data.has_unpublished_versions || draft.isChanged);
  return (
    <Page
      title={data?.name ?? t('templates:one')}
      back="/app/templates"
      aside={
        <>
          {data === undefined ? null : <TemplateState state={data.status} />}
          <span className={composer.saving} role="status">
            {draft.state === 'clean' ? '' : t(`templates:saving.${draft.state}`)}
          </span>
        </>
      }
      actions={
        <>
          {mayWrite ? (
            <>
              <Button
                leftSection={<Send size={14} aria-hidden />}
                disabled={!canPublish}
                onClick={() => void publish().catch(sayError)}
              >
                {t('templates:publish')}
              </Button>
              <Menu position="bottom-end">
                <Menu.Target>
                  <ActionIcon aria-label={t('templates:more')}>
                    <EllipsisVertical size={16} aria-hidden />
                  </ActionIcon>
                </Menu.Target>
                <Menu.Dropdown>
                  <Menu.Item
                    leftSection={<Copy size={15} aria-hidden />}
                    onClick={() => void duplicate().catch(sayError)}
                  >
                    {t('templates:duplicate')}
                  </Menu.Item>
                  <Menu.Item color="red" leftSection={<Trash2 size={15} aria-hidden />} onClick={() => setAsking(true)}>
                    {t('templates:delete')}
                  </Menu.Item>
                </Menu.Dropdown>
              </Menu>
            </>
          ) : null}
        </>
      }
    >
      {data === undefined || draft.values === undefined ? null : (
        <div className={composer.page}>
          <TemplateEditor values={draft.values} change={draft.change} error={draft.error} readOnly={!mayWrite} />
          <TemplatePreview template={data} isCurrent={draft.state === 'clean' || draft.state === 'saved'} />
        </div>
      )}
      <Confirm
        opened={asking}
        close={() => setAsking(false)}
        title={t('templates:deleteTitle', { name: data?.name ?? '' })}
        action={t('templates:delete')}
        typed={data?.name}
        run={async () => {
          await answer(api.DELETE('/templates/{idOrAlias}', path));
          void client.invalidateQueries({ queryKey: ['templates'] });
          say(t('templates:deleted'));
          await navigate({ to: '/app/templates' });
        }}
      >
        <p>{t('templates:deleteText')}</p>
      </Confirm>
    </Page>
  );
}
