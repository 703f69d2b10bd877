export * from './org-audit.ts';
export * from './org-groups.ts';
export * from './org-invitations.ts';
export * from './org-many-members.ts';
export * from './org-members.ts';
export * from './org-organisations.ts';
export * from './org-platform.ts';
export * from './org-roles.ts';
