import { defineMessages } from 'react-intl';
import { useText } from '../../lib/text.ts';
import type { PeopleAct } from './people-act.ts';

const role = defineMessages({
  title: {
    id: 'active.role.title',
    defaultMessage: '{count, plural, one {Change the role of {name}} other {Change the role of # people}}',
  },
  about: { id: 'active.role.about', defaultMessage: 'Takes effect within a second in all open tabs.' },
  confirm: { id: 'active.role.confirm', defaultMessage: '{able, plural, one {Change role} other {Change # roles}}' },
});
const end = defineMessages({
  title: {
    id: 'active.end.title',
    defaultMessage: '{count, plural, one {End the access of {name} now?} other {End the access of # people now?}}',
  },
  about: {
    id: 'active.end.about',
    defaultMessage:
      'Open tabs of this organisation close and running answers stop. To come back here one has to sign in again. Other organisations go on.',
  },
  confirm: { id: 'active.end.confirm', defaultMessage: '{able, plural, one {End access} other {End access of #}}' },
});
const suspend = defineMessages({
  title: {
    id: 'active.suspend.title',
    defaultMessage: '{count, plural, one {Suspend {name}?} other {Suspend # people?}}',
  },
  about: {
    id: 'active.suspend.about',
    defaultMessage:
      'Until somebody restores them they can do nothing here. What they wrote stays, and so does the seat.',
  },
  confirm: {
    id: 'active.suspend.confirm',
    defaultMessage: '{able, plural, one {Suspend person} other {Suspend # people}}',
  },
});
const restore = defineMessages({
  title: {
    id: 'active.restore.title',
    defaultMessage: '{count, plural, one {Restore {name}} other {Restore # people}}',
  },
  about: { id: 'active.restore.about', defaultMessage: 'They can do again what their role allows.' },
  confirm: {
    id: 'active.restore.confirm',
    defaultMessage: '{able, plural, one {Restore person} other {Restore # people}}',
  },
});
const messages = { role, end, suspend, restore };

/** What the question about an act says: whom it is about, what it means, and the button with the number it is for. */
export function useActWords({ kind, people }: PeopleAct, able: number) {
  const { t } = useText();
  const { title, about, confirm } = messages[kind];
  return {
    title: t(title, { count: people.length, name: people[0]?.name ?? '' }),
    about: t(about),
    confirm: t(confirm, { able }),
  };
}
