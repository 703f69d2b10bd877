import { useText } from '../../../lib/text.ts';
import classes from '../settings.module.css';

/** How a program calls with a key: a line for the terminal. */
export function CallExample() {
  const { t } = useText();
  const line = `curl -H "Authorization: Bearer plk_…" ${location.origin}/api/chat/conversations`;
  return (
    <span className={classes.example}>
      {t({ id: 'settings.keys.example', defaultMessage: 'A program shows the key with each call:' })}{' '}
      <code dir="ltr" className={classes.code}>
        {line}
      </code>
    </span>
  );
}
