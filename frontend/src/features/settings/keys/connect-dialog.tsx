import { Button, NativeSelect, TextInput } from '@mantine/core';
import type { ChatbotId } from '@parley/contracts';
import { useRef, useState } from 'react';
import { useChatbots } from '../../../domain/chatbot/use-chatbots.ts';
import { useCatalogue } from '../../../domain/permission/permission-catalogue.ts';
import { useRight } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import form from '../../../ui/form.module.css';
import classes from '../parts/settings.module.css';

/** For as long as nobody can tell which chatbots there are. */
const someModel = 'bot_…';

const lineFor = (model: string): string =>
  [
    `curl ${location.origin}/v1/chat/completions`,
    `-H "Authorization: Bearer plk_…"`,
    `-H "Content-Type: application/json"`,
    `-d '${JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello' }] })}'`,
  ].join(' \\\n  ');

/** The three values that a client of OpenAI asks for, and a line for the terminal. */
export function ConnectDialog({ onClose }: { onClose: () => void }) {
  const { t } = useText();
  const { nameOf } = useCatalogue();
  const chatbots = useChatbots({ enabled: useRight('model:use') }).data?.items ?? [];
  const [picked, setPicked] = useState<ChatbotId | null>(null);
  const model = (chatbots.find(({ id }) => id === picked) ?? chatbots[0])?.id ?? someModel;
  return (
    <Dialog title={t({ id: 'settings.keys.connect', defaultMessage: 'How to connect' })} onClose={onClose}>
      <div className={form.form}>
        <p className="p-sm p-quiet">
          {t(
            {
              id: 'settings.keys.connectText',
              defaultMessage:
                'Give the program the base address, a key and a model. Chatbots are the models. The key needs “{ask}” and “{use}”.',
            },
            { ask: nameOf('chat:create'), use: nameOf('model:use') },
          )}
        </p>
        <Value
          label={t({ id: 'settings.keys.address', defaultMessage: 'Base address' })}
          text={`${location.origin}/v1`}
        />
        {chatbots.length > 1 ? (
          <NativeSelect
            label={t({ id: 'settings.keys.chatbot', defaultMessage: 'Chatbot' })}
            data={chatbots.map(({ id, name }) => ({ value: id, label: name }))}
            value={model}
            onChange={({ currentTarget }) => setPicked(currentTarget.value as ChatbotId)}
          />
        ) : null}
        <Value label={t({ id: 'settings.keys.model', defaultMessage: 'Model' })} text={model} />
        <CallLine key={model} line={lineFor(model)} />
        <div className={form.ends}>
          <Button data-autofocus onClick={onClose}>
            {t({ id: 'settings.keys.close', defaultMessage: 'Close' })}
          </Button>
          <a className="p-link p-sm" href="/v1/openapi.json" target="_blank" rel="noreferrer">
            {t({ id: 'settings.keys.openApi', defaultMessage: 'All of it as OpenAPI 3.1' })}
          </a>
        </div>
      </div>
    </Dialog>
  );
}

function Value({ label, text }: { label: string; text: string }) {
  return (
    <TextInput
      label={label}
      readOnly
      dir="ltr"
      className={classes.value}
      value={text}
      onFocus={(event) => event.currentTarget.select()}
    />
  );
}

/** Broken where it is shown only: what is copied has the line ends of the command. */
function CallLine({ line }: { line: string }) {
  const { t } = useText();
  const [copied, setCopied] = useState<boolean | null>(null);
  const place = useRef<HTMLPreElement>(null);
  const onCopied = (isDone: boolean) => {
    setCopied(isDone);
    if (!isDone && place.current) getSelection()?.selectAllChildren(place.current);
  };
  const label = t({ id: 'settings.keys.line', defaultMessage: 'A line for the terminal' });
  return (
    <section aria-label={label}>
      <header className={classes.lineHead}>
        <span className="p-sm">{label}</span>
        <CopyButton
          text={line}
          label={t({ id: 'settings.keys.copyLine', defaultMessage: 'Copy' })}
          copied={t({ id: 'settings.keys.copied', defaultMessage: 'Copied' })}
          onCopied={onCopied}
        />
      </header>
      <pre ref={place} className={classes.call} dir="ltr">
        {line}
      </pre>
      <output className={classes.copied}>
        {copied === false
          ? t({
              id: 'settings.keys.notCopied',
              defaultMessage: 'The browser did not let it be copied. It is selected: copy it by the keyboard.',
            })
          : null}
      </output>
    </section>
  );
}
