import { Checkbox, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { proposedEventTypes } from '../../api/schema.gen';
import { FormModal } from '../../parts/form-modal';
import { useOpenedState } from '../../parts/use-opened-state';
import { eventGroups } from './event-types';
import styles from './webhooks.module.css';

export interface WebhookValues {
  readonly endpoint: string;
  readonly events: readonly string[];
}

interface WebhookFormProps {
  readonly opened: boolean;
  readonly close: () => void;
  readonly title: string;
  readonly action: string;
  readonly known?: WebhookValues;
  readonly save: (values: WebhookValues) => Promise<unknown>;
}

/** Address and events of an endpoint. */
export function WebhookForm({ opened, close, title, action, known, save }: WebhookFormProps) {
  const { t } = useTranslation();
  const [endpoint, setEndpoint] = useOpenedState(opened, () => known?.endpoint ?? '');
  const [events, setEvents] = useOpenedState<readonly string[]>(opened, () => known?.events ?? proposedEventTypes);
  const choose = (types: readonly string[], isOn: boolean): void =>
    setEvents(isOn ? [...new Set([...events, ...types])] : events.filter((type) => !types.includes(type)));
  return (
    <FormModal
      opened={opened}
      close={close}
      title={title}
      action={action}
      size={560}
      isReady={endpoint.trim() !== '' && events.length > 0}
      run={() => save({ endpoint: endpoint.trim(), events })}
    >
      <TextInput
        data-autofocus
        type="url"
        label={t('webhooks:form.endpoint')}
        description={t('webhooks:form.endpointText')}
        placeholder="https://acme.com/hooks/postrider"
        value={endpoint}
        onChange={(event) => setEndpoint(event.currentTarget.value)}
      />
      <fieldset className={styles.events}>
        <legend>{t('webhooks:form.events')}</legend>
        {Object.entries(eventGroups).map(([group, types]) => {
          const chosen = types.filter((type) => events.includes(type)).length;
          return (
            <div key={group} className={styles.group}>
              <Checkbox
                label={<strong>{t(`webhooks:group.${group}`)}</strong>}
                checked={chosen === types.length}
                indeterminate={chosen > 0 && chosen < types.length}
                onChange={(event) => choose(types, event.currentTarget.checked)}
              />
              <div className={styles.types}>
                {types.map((type) => (
                  <Checkbox
                    key={type}
                    label={<code>{type}</code>}
                    checked={events.includes(type)}
                    onChange={(event) => choose([type], event.currentTarget.checked)}
                  />
                ))}
              </div>
            </div>
          );
        })}
      </fieldset>
    </FormModal>
  );
}
