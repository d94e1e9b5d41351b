import { ApiKeyEntity } from '../api-key/api-key.ts'
import { MemberEntity } from '../member/member.ts'
import { OrganizationEntity } from '../organization/organization.ts'
import { OneTimeTokenEntity } from '../session/one-time-token.ts'
import { RefreshTokenEntity, SessionEntity } from '../session/session.ts'

/** Every entity that the database knows. */
export const entities = [
  OrganizationEntity,
  MemberEntity,
  SessionEntity,
  RefreshTokenEntity,
  OneTimeTokenEntity,
  ApiKeyEntity,
]
