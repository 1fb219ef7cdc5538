import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { answer, api } from '../../api/client';
import { DetailPane } from '../../detail/detail-pane';
import { curlOf } from '../../logic/curl';
import { CodeBlock } from '../../parts/code-block';
import { CopyButton } from '../../parts/copy-button';
import { usePathValues } from '../../parts/location';
import { Facts, Panel } from '../../parts/panel';
import section from '../../parts/layout.module.css';
import { ErrorState } from '../../parts/states';
import { Time } from '../../parts/time';
import { HttpStatus } from '../../parts/http-status';

export function LogDetail() {
  const { logId = '' } = usePathValues();
  const { t } = useTranslation();
  const navigate = useNavigate();
  const log = useQuery({
    queryKey: ['log', logId],
    queryFn: () => answer(api.GET('/logs/{logId}', { params: { path: { logId } } })),
    staleTime: Infinity,
  });
  const close = (): void => void navigate({ to: '/app/logs', search: (known: object) => known });
  const { data } = log;
  const call = data && { method: data.method, path: data.endpoint, body: data.request_body };
  return (
    <DetailPane
      title={data === undefined ? t('logs:one') : `${data.method} ${data.endpoint}`}
      badge={data === undefined ? undefined : <HttpStatus status={data.response_status} />}
      close={close}
      actions={
        call === undefined ? undefined : (
          <CopyButton wide value={curlOf(call, location.origin)} label={t('logs:curl')} />
        )
      }
    >
      {log.error !== null ? (
        <ErrorState error={log.error} retry={() => void log.refetch()} />
      ) : data === undefined ? null : (
        <div className={section.scroll}>
          <Panel>
            <Facts
              items={[
                [t('logs:column.at'), <Time key="at" at={data.created_at} form="exact" />],
                [t('logs:column.agent'), data.user_agent ?? '–'],
                [
                  t('logs:id'),
                  <span key="id" className={section.row}>
                    <code>{data.id}</code>
                    <CopyButton value={data.id} label={t('logs:copyId')} />
                  </span>,
                ],
              ]}
            />
          </Panel>
          <Body title={t('logs:request')} body={data.request_body} />
          <Body title={t('logs:response')} body={data.response_body} />
        </div>
      )}
    </DetailPane>
  );
}

function Body({ title, body }: { readonly title: string; readonly body: unknown }) {
  const { t } = useTranslation();
  return (
    <Panel title={title}>
      {body === null || body === undefined ? (
        <p className="quiet">{t('logs:noBody')}</p>
      ) : (
        <CodeBlock code={JSON.stringify(body, null, 2)} label={title} />
      )}
    </Panel>
  );
}
