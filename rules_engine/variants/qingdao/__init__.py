"""Qingdao mahjong 青岛麻将 (Shandong): niu, hun, three modes."""
