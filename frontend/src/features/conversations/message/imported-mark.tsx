import { useText } from '../../../lib/text.ts';
import classes from './message.module.css';

/** Shown beside the time of an imported message. */
export function ImportedMark() {
  const { t } = useText();
  return <span className={classes.time}>{t({ id: 'chat.message.imported', defaultMessage: 'imported' })}</span>;
}
