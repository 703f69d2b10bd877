import type { ErrorReport } from '@parley/contracts';
import { useText } from '../../../lib/text.ts';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { titleOf } from './error-names.ts';
import classes from './errors.module.css';

type Errors = ErrorReport['errors'];
const placeOf = ({ file, line }: Errors[number]['frames'][number]): string =>
  `${file}${line === null ? '' : `:${line}`}`;

const asText = (errors: Errors): string =>
  errors
    .map((error) =>
      [titleOf(error), ...error.frames.map((frame) => `  ${frame.function} ${placeOf(frame)}`)].join('\n'),
    )
    .join('\n');

/** Calls of Parley itself dark, those of libraries pale. */
export function ErrorStack({ errors }: { errors: Errors }) {
  const { t } = useText();
  return (
    <section aria-labelledby="error-stack">
      <header className={classes.stackHead}>
        <h3 id="error-stack" className="p-h3">
          {t({ id: 'installation.errors.stack', defaultMessage: 'Stack' })}
        </h3>
        <CopyButton
          text={asText(errors)}
          label={t({ id: 'installation.errors.copy', defaultMessage: 'Copy' })}
          copied={t({ id: 'installation.errors.copied', defaultMessage: 'Copied' })}
        />
      </header>
      <div className={classes.stack} dir="ltr">
        {errors.map((error, at) => (
          <div key={at}>
            <div className={classes.cause}>{titleOf(error)}</div>
            {error.frames.map((frame, call) => (
              <div key={call} className={classes.frame} data-own={frame.isOwn || undefined}>
                <span>{frame.function}</span>
                <span className={classes.file}>{placeOf(frame)}</span>
              </div>
            ))}
          </div>
        ))}
      </div>
    </section>
  );
}
