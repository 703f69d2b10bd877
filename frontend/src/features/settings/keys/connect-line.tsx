import { useText } from '../../../lib/text.ts';
import classes from '../parts/settings.module.css';

/** Where a program goes with a key, and how. */
export function ConnectLine({ onConnect }: { onConnect: () => void }) {
  const { t, rich } = useText();
  const address = (
    <code key="address" dir="ltr" className={classes.code}>
      {location.origin}/v1
    </code>
  );
  return (
    <span className={classes.example}>
      {rich(
        {
          id: 'settings.keys.connectLine',
          defaultMessage: 'Any client of OpenAI works with a key: base address {address}',
        },
        { address },
      )}{' '}
      <button type="button" className="p-link" onClick={onConnect}>
        {t({ id: 'settings.keys.connect', defaultMessage: 'How to connect' })}
      </button>
    </span>
  );
}
