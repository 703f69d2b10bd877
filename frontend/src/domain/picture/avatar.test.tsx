import { expect, it } from '@jest/globals';
import { render } from '@testing-library/react';
import { OrganisationMark } from './avatar.tsx';

it('the mark of an organisation has the same tint in all sizes', () => {
  const hueOf = (mark: React.ReactElement) => {
    const { container } = render(mark);
    return (container.firstElementChild as HTMLElement).style.getPropertyValue('--hue');
  };
  const inside = hueOf(<OrganisationMark name="Lindmoor Energy" />);
  expect(inside).toMatch(/^\d+$/);
  expect(hueOf(<OrganisationMark name="Lindmoor Energy" size={40} />)).toBe(inside);
  expect(hueOf(<OrganisationMark name="Meadow Labs" />)).not.toBe(inside);
});
