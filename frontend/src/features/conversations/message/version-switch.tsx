import type { MessageId } from '@parley/contracts';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useText } from '../../../lib/text.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import classes from './message.module.css';

type Props = {
  id: MessageId;
  versions: readonly MessageId[] | null;
  onShow: (id: MessageId, shown: MessageId) => unknown;
};

/** Shows the number of a message's version, and buttons to the others; nothing for a single version. */
export function VersionSwitch({ id, versions, onShow }: Props) {
  const { t } = useText();
  if (!versions) return null;
  const index = versions.indexOf(id);
  const [before, after] = [versions[index - 1], versions[index + 1]];
  const place = { place: index + 1, count: versions.length };
  return (
    <fieldset
      className={classes.versions}
      aria-label={t({ id: 'chat.version.label', defaultMessage: 'Version {place} of {count}' }, place)}
    >
      <IconButton
        icon={ChevronLeft}
        isMirrored
        label={t({ id: 'chat.version.before', defaultMessage: 'Earlier version' })}
        disabled={!before}
        onClick={() => before && onShow(before, id)}
      />
      <span className={classes.version} aria-hidden="true">
        {t({ id: 'chat.version.place', defaultMessage: '{place} / {count}' }, place)}
      </span>
      <IconButton
        icon={ChevronRight}
        isMirrored
        label={t({ id: 'chat.version.after', defaultMessage: 'Later version' })}
        disabled={!after}
        onClick={() => after && onShow(after, id)}
      />
    </fieldset>
  );
}
