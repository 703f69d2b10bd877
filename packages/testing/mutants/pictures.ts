import type { Mutant } from './mutant.ts';

const src = 'services/auth/src/pictures';
const inAuth = 'auth/src/pictures/pictures.spec';

export const pictureMutants: readonly Mutant[] = [
  {
    breaks: 'a picture of any size is read',
    file: `${src}/pictures.service.ts`,
    find: 'new SizeMeter(limits.pictureBytes)',
    put: 'new SizeMeter(Infinity)',
    spec: inAuth,
  },
  {
    breaks: "somebody else's picture is uploaded over",
    file: `${src}/pictures.service.ts`,
    find: `const own = this.pictures.within(scope, tx);
      await own.deleteMany`,
    put: `const own = this.pictures.within(everybodys, tx);
      await own.deleteMany`,
    spec: inAuth,
  },
  {
    breaks: "somebody else's picture becomes the own one",
    file: `${src}/pictures.service.ts`,
    find: `const own = this.pictures.within(scope, tx);
    await own.updateMany`,
    put: `const own = this.pictures.within(everybodys, tx);
    await own.updateMany`,
    spec: inAuth,
  },
  {
    breaks: 'the picture that is shown goes with the next upload',
    file: `${src}/pictures.service.ts`,
    find: '{ endsAt: { $ne: null }, _id: { $ne: id } }',
    put: '{ _id: { $ne: id } }',
    spec: inAuth,
  },
  {
    breaks: 'proxies keep pictures for anybody',
    file: 'packages/platform/src/service/feature.ts',
    find: "'private, max-age",
    put: "'public, max-age",
    spec: 'testing/src/feature.spec',
  },
  {
    breaks: 'a picture in the profile is one that nobody has',
    file: 'services/auth/src/profile/profile.service.ts',
    find: 'if (changes.picture !== undefined) await this.pictures.choose(scope, changes.picture, tx);',
    put: '',
    spec: 'auth/src/profile/profile.spec',
  },
  {
    breaks: 'a file that the server refuses is sent first',
    file: 'frontend/src/features/settings/components/picture-field.tsx',
    find: 'if (file.size <= largestBytes) mutate(file);',
    put: 'mutate(file);',
    spec: 'settings/components/picture-field.test',
  },
];
