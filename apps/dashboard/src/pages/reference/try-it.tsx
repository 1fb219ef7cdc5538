import { Button, Flex, PasswordInput, Textarea, TextInput } from '@mantine/core';
import { Play } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { send } from '../../api/client';
import { useSession } from '../../api/session';
import { codeSamples } from '../../logic/code-samples';
import { parsedJson } from '../../logic/parsed-json';
import { pathWith, type Operation } from '../../logic/open-api';
import { duration } from '../../logic/moments';
import { Alert } from '../../parts/alert';
import { CodeBlock } from '../../parts/code-block';
import { Panel } from '../../parts/panel';
import { HttpStatus } from '../../parts/http-status';
import { RequestSamples } from '../../parts/request-samples';
import styles from './reference.module.css';

interface Answer {
  readonly status: number;
  readonly ms: number;
  readonly text: string;
}

/** Longer answers are cut: this is to look at, not to work with. */
const maxShown = 20_000;

/** Sends the request for real, as the signed-in user or with a key. */
export function TryIt({ operation }: { readonly operation: Operation }) {
  const { t, i18n } = useTranslation();
  const session = useSession();
  const { method, path, parameters, body } = operation;
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [key, setKey] = useState('');
  const [text, setText] = useState(() => {
    const example = body?.examples[0]?.value;
    return example === undefined ? '' : JSON.stringify(example, null, 2);
  });
  const [running, setRunning] = useState(false);
  const [got, setGot] = useState<Answer>();
  const [error, setError] = useState<unknown>();
  const asked = parameters.filter((parameter) => parameter.in !== 'header');
  const target = pathWith(path, parameters, values);
  const isReady = parameters.every((each) => each.in !== 'path' || (values[each.name] ?? '') !== '');
  const isStream = operation.id === 'streamLiveUpdates';
  const run = async (event: React.FormEvent): Promise<void> => {
    event.preventDefault();
    setRunning(true);
    setError(undefined);
    const begun = performance.now();
    try {
      const headers = {
        ...(body === undefined || text === '' ? {} : { 'content-type': 'application/json' }),
        ...(key === '' ? {} : { authorization: `Bearer ${key}` }),
      };
      const request = new Request(target, {
        method,
        headers,
        body: body === undefined || text === '' ? undefined : text,
      });
      const response =
        key === '' && session !== null ? await send(request) : await fetch(request, { credentials: 'omit' });
      const answer = await response.text();
      setGot({ status: response.status, ms: performance.now() - begun, text: laidOut(answer) });
    } catch (failure) {
      setError(failure);
    } finally {
      setRunning(false);
    }
  };
  return (
    <>
      <Panel title={t('reference:try')} text={isStream ? t('reference:stream') : t('reference:tryText')}>
        <Flex component="form" direction="column" gap={10} onSubmit={(event) => void run(event)}>
          {asked.map(({ name, required, example }) => (
            <TextInput
              key={name}
              label={name}
              required={required ?? false}
              placeholder={typeof example === 'string' || typeof example === 'number' ? String(example) : undefined}
              value={values[name] ?? ''}
              onChange={(event) => setValues({ ...values, [name]: event.currentTarget.value })}
              autoComplete="off"
              spellCheck={false}
            />
          ))}
          {body === undefined ? null : (
            <Textarea
              className={styles.body ?? ''}
              label={t('reference:body')}
              autosize
              minRows={4}
              maxRows={18}
              value={text}
              onChange={(event) => setText(event.currentTarget.value)}
              spellCheck={false}
            />
          )}
          <PasswordInput
            label={t('reference:key')}
            description={t('reference:keyText')}
            placeholder="re_…"
            value={key}
            onChange={(event) => setKey(event.currentTarget.value.trim())}
            autoComplete="off"
            visibilityToggleButtonProps={{ 'aria-label': t('reference:showKey') }}
          />
          <Alert error={error} />
          <Button
            type="submit"
            leftSection={<Play size={14} aria-hidden />}
            loading={running}
            disabled={!isReady || isStream}
            w="fit-content"
          >
            {t('reference:send')}
          </Button>
        </Flex>
      </Panel>
      {got === undefined ? null : (
        <Panel
          title={t('reference:answer')}
          aside={
            <Flex component="span" gap={10} align="center">
              <HttpStatus status={got.status} plain />
              <span className="quiet tabular">{duration(got.ms, i18n.language)}</span>
            </Flex>
          }
        >
          <CodeBlock code={got.text.slice(0, maxShown)} label={t('reference:answer')} />
        </Panel>
      )}
      <Panel title={t('reference:examples')}>
        <RequestSamples
          samples={codeSamples({ method, path: target, body: parsedJson(text) }, location.origin, 're_…')}
        />
      </Panel>
    </>
  );
}

function laidOut(text: string): string {
  const parsed = parsedJson(text);
  return parsed === undefined ? text : JSON.stringify(parsed, null, 2);
}
