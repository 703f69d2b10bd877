import { useText } from '../../../lib/text.ts';
import classes from './message.module.css';

/** Beside the time of a message that came from an export. */
export function ImportedMark() {
  const { t } = useText();
  return <span className={classes.time}>{t({ id: 'chat.message.imported', defaultMessage: 'imported' })}</span>;
}
