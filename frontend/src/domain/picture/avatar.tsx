import type { PictureId, Presence } from '@parley/contracts';
import { Bot, type LucideIcon } from 'lucide-react';
import classes from './avatar.module.css';

/** Eight hues: of a person by id, so that the colour stays everywhere. */
function hueOf(id: string): number {
  let sum = 0;
  for (const letter of id) sum = (sum * 31 + letter.charCodeAt(0)) >>> 0;
  return (sum % 8) * 45 + 20;
}

function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/);
  const letters = words.length > 1 ? [words[0], words.at(-1)] : [words[0], words[0]?.slice(1)];
  return letters
    .map((word) => (word ? String.fromCodePoint(word.codePointAt(0) ?? 0x20) : ''))
    .join('')
    .toLocaleUpperCase();
}

type PersonProps = { id: string; name: string; picture?: PictureId | null; size?: number; presence?: Presence };

/**
 * People are circles; where it is given, a dot says whether they are here. Their initials stand behind the picture, and
 * are seen while there is none.
 */
export function PersonAvatar({ id, name, picture, size = 28, presence }: PersonProps) {
  return (
    <span
      className={classes.person}
      style={{ '--hue': hueOf(id), '--size': `${size / 16}rem` } as React.CSSProperties}
      data-initials={initialsOf(name)}
      data-presence={presence}
      aria-hidden="true"
    >
      {picture ? <img key={picture} src={`/api/auth/pictures/${picture}`} alt="" /> : null}
    </span>
  );
}

/** Bots are rounded squares. */
export function BotMark({ icon: Icon = Bot, size = 28 }: { icon?: LucideIcon; size?: number }) {
  return (
    <span className={classes.bot} style={{ '--size': `${size / 16}rem` } as React.CSSProperties} aria-hidden="true">
      <Icon size={size >= 28 ? 16 : 13} />
    </span>
  );
}

/** Organisations are solid squares. The tint follows the name, which people see before they know more of an organisation. */
export function OrganisationMark({ name, size = 26 }: { name: string; size?: number }) {
  return (
    <span
      className={classes.organisation}
      style={{ '--size': `${size / 16}rem`, '--hue': hueOf(name) } as React.CSSProperties}
      data-initials={initialsOf(name)}
      aria-hidden="true"
    />
  );
}
