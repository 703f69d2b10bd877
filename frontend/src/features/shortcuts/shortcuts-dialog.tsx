import { Button } from '@mantine/core';
import { Fragment, useEffect, useState, type ReactNode } from 'react';
import { defineMessages } from 'react-intl';
import { LateTexts } from '../../lib/late-texts.tsx';
import { hasSingleKeys, isMac, setSingleKeys } from '../../lib/shortcuts.ts';
import { useText } from '../../lib/text.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { useKeyNames, type KeyName } from './key-names.ts';
import classes from './shortcuts-dialog.module.css';

const names = defineMessages({
  help: { id: 'shortcuts.name.help', defaultMessage: 'Show keyboard shortcuts' },
  search: { id: 'shortcuts.name.search', defaultMessage: 'Search or go to' },
  newChat: { id: 'shortcuts.name.newChat', defaultMessage: 'Start a new chat' },
  compose: { id: 'shortcuts.name.compose', defaultMessage: 'Write a message' },
  leave: { id: 'shortcuts.name.leave', defaultMessage: 'Leave the message field' },
  send: { id: 'shortcuts.name.send', defaultMessage: 'Send the message' },
  newLine: { id: 'shortcuts.name.newLine', defaultMessage: 'Start a new line' },
  editQuestion: { id: 'shortcuts.name.editQuestion', defaultMessage: 'Edit the last question' },
  copyAnswer: { id: 'shortcuts.name.copyAnswer', defaultMessage: 'Copy the last answer' },
  previousBranch: { id: 'shortcuts.name.previousBranch', defaultMessage: 'Go to the earlier version' },
  nextBranch: { id: 'shortcuts.name.nextBranch', defaultMessage: 'Go to the later version' },
  stop: { id: 'shortcuts.name.stop', defaultMessage: 'Stop the answer' },
  selectRange: { id: 'shortcuts.name.selectRange', defaultMessage: 'Select a range' },
  selectAll: { id: 'shortcuts.name.selectAll', defaultMessage: 'Select all' },
  selectEnd: { id: 'shortcuts.name.selectEnd', defaultMessage: 'Cancel selection' },
});

/** A row has one or more ways, each of which is keys that are pressed together. */
type Row = readonly [name: keyof typeof names, ...ways: (readonly KeyName[])[]];
const anywhere: readonly Row[] = [
  ['help', ['?'], ['control', '/']],
  ['search', ['control', 'K']],
  ['newChat', ['N']],
];
const inChat: readonly Row[] = [
  ['compose', ['M']],
  ['send', ['enter']],
  ['newLine', ['shift', 'enter']],
  ['leave', ['escape']],
  ['editQuestion', ['E']],
  ['copyAnswer', ['C']],
  ['previousBranch', ['K']],
  ['nextBranch', ['J']],
  ['stop', ['control', '.']],
];

const whileSelecting: readonly Row[] = [
  ['selectRange', ['shift', '↓'], ['shift', '↑']],
  ['selectAll', ['control', 'A']],
  ['selectEnd', ['escape']],
];

/** Every shortcut that people can learn, and the switch for those of a single key. */
export const ShortcutsDialog = ({ onClose }: { onClose: () => void }) => (
  <LateTexts part="shortcuts">
    <Shortcuts onClose={onClose} />
  </LateTexts>
);

function Shortcuts({ onClose }: { onClose: () => void }) {
  const { t } = useText();
  useFocusBack();
  return (
    <Dialog title={t({ id: 'shortcuts.dialog.title', defaultMessage: 'Keyboard shortcuts' })} onClose={onClose}>
      <Group name={t({ id: 'shortcuts.group.anywhere', defaultMessage: 'Anywhere' })} rows={anywhere} />
      <Group name={t({ id: 'shortcuts.group.chat', defaultMessage: 'In a chat' })} rows={inChat} />
      <Group
        name={t({ id: 'shortcuts.group.select', defaultMessage: 'While selecting chats' })}
        rows={whileSelecting}
      />
      <SingleKeys />
      <div className={classes.end}>
        <Button variant="default" onClick={onClose} data-autofocus>
          {t({ id: 'shortcuts.dialog.close', defaultMessage: 'Close' })}
        </Button>
      </div>
    </Dialog>
  );
}

/** To where the keys were pressed; a menu entry that opened it is gone by then. */
function useFocusBack(): void {
  useEffect(() => {
    const before = document.activeElement;
    return () => {
      const isThere = before instanceof HTMLElement && before.isConnected && before !== document.body;
      (isThere ? before : document.querySelector('main'))?.focus();
    };
  }, []);
}

function Group({ name, rows }: { name: string; rows: readonly Row[] }) {
  const { t } = useText();
  return (
    <section>
      <h3 className={`p-meta ${classes.group}`}>{name}</h3>
      <dl>
        {rows.map(([shortcut, ...ways]) => (
          <div key={shortcut} className={`p-sm ${classes.row}`}>
            <dt>{t(names[shortcut])}</dt>
            <dd>
              <Ways ways={ways} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Ways({ ways }: { ways: readonly (readonly KeyName[])[] }): ReactNode {
  const { t } = useText();
  const nameOf = useKeyNames(isMac());
  return ways.map((keys, index) => (
    <Fragment key={keys.join()}>
      {index > 0 ? <span>{t({ id: 'shortcuts.key.or', defaultMessage: 'or' })}</span> : null}
      <bdi dir="ltr" className={classes.keys}>
        {keys.map((key) => (
          <kbd key={key}>{nameOf(key)}</kbd>
        ))}
      </bdi>
    </Fragment>
  ));
}

function SingleKeys() {
  const { t } = useText();
  const [isOn, setOn] = useState(hasSingleKeys);
  const change = (next: boolean) => {
    setSingleKeys(next);
    setOn(next);
  };
  return (
    <label className={`p-sm ${classes.single}`}>
      <input type="checkbox" checked={isOn} onChange={(event) => change(event.currentTarget.checked)} />
      <span>
        {t({ id: 'shortcuts.single.label', defaultMessage: 'Single-key shortcuts' })}
        <span className={classes.hint}>
          {t({
            id: 'shortcuts.single.hint',
            defaultMessage: 'They work while you aren’t typing. Turn them off if you control this device by voice.',
          })}
        </span>
      </span>
    </label>
  );
}
